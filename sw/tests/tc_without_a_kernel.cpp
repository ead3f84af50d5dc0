// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into tc: the test, not the kernel, hears what it sends of queueing disciplines and answers it.
//
// RTM_NEWQDISC goes to the file TC_SENT and is acknowledged; RTM_GETQDISC is answered with the messages in the file
// TC_ANSWER. So tc's own parser and printer can be asked about disciplines that this kernel lacks, and the machine's
// interfaces stay as they are. Everything else (names of interfaces) is the kernel's.
#include <dlfcn.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

std::vector<char> answer;  // what the next calls of recvmsg hear, once
unsigned own_port(int fd) {
  sockaddr_nl name{};
  socklen_t length = sizeof name;
  getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length);
  return name.nl_pid;
}

// Answers a request about disciplines; false: it is another's.
bool heard(int fd, const void* data, size_t length) {
  nlmsghdr request;
  if (length < sizeof request) return false;
  std::memcpy(&request, data, sizeof request);
  if (request.nlmsg_type == RTM_NEWQDISC) {
    std::FILE* sent = std::fopen(std::getenv("TC_SENT"), "wb");
    std::fwrite(data, 1, length, sent);
    std::fclose(sent);
    answer.assign(NLMSG_LENGTH(sizeof(nlmsgerr)), 0);  // error 0
    auto* head = reinterpret_cast<nlmsghdr*>(answer.data());
    head->nlmsg_len = answer.size();
    head->nlmsg_type = NLMSG_ERROR;
  } else if (request.nlmsg_type == RTM_GETQDISC) {
    answer.resize(1 << 16);
    std::FILE* file = std::fopen(std::getenv("TC_ANSWER"), "rb");
    answer.resize(std::fread(answer.data(), 1, answer.size(), file));
    std::fclose(file);
  } else {
    return false;
  }
  for (size_t at = 0; at < answer.size();) {
    auto* head = reinterpret_cast<nlmsghdr*>(answer.data() + at);
    head->nlmsg_seq = request.nlmsg_seq;
    head->nlmsg_pid = own_port(fd);
    at += NLMSG_ALIGN(head->nlmsg_len);
  }
  return true;
}

template <typename Call>
Call real(const char* name) {
  return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" ssize_t send(int fd, const void* data, size_t length, int flags) {
  if (heard(fd, data, length)) return static_cast<ssize_t>(length);
  return real<ssize_t (*)(int, const void*, size_t, int)>("send")(fd, data, length, flags);
}

extern "C" ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  const iovec& part = message->msg_iov[0];
  if (heard(fd, part.iov_base, part.iov_len)) return static_cast<ssize_t>(part.iov_len);
  return real<ssize_t (*)(int, const msghdr*, int)>("sendmsg")(fd, message, flags);
}

extern "C" ssize_t recvmsg(int fd, msghdr* message, int flags) {
  if (answer.empty()) return real<ssize_t (*)(int, msghdr*, int)>("recvmsg")(fd, message, flags);
  const auto length = static_cast<ssize_t>(answer.size());
  auto* from = static_cast<sockaddr_nl*>(message->msg_name);
  *from = {};
  from->nl_family = AF_NETLINK;
  message->msg_flags = 0;
  if (flags & MSG_PEEK) return length;
  std::memcpy(message->msg_iov[0].iov_base, answer.data(), answer.size());
  answer.clear();
  return length;
}
