// SPDX-License-Identifier: GPL-2.0-only
// lab-runner INPUT.json RESULT.json FLOWS.csv: one run of one scenario. INPUT is what `truemark lab run` makes of a
// scenario file. Exit codes: 0 done, 1 something is broken (stderr says what), 3 the stop time struck first.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "run.h"

namespace {

// Ends with the process that began it, where that says who it is: a run whose worker was killed is made again by
// another, and nobody waits for this one.
void end_with_parent() {
  const char* parent = std::getenv("TRUEMARK_LAB_PARENT");
  if (parent == nullptr) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(getppid()) == parent) return;
  std::fprintf(stderr, "lab-runner: its parent %s has ended\n", parent);
  std::_Exit(1);
}

int run(int count, char** arguments) {
  end_with_parent();
  if (count != 4) {
    std::fprintf(stderr, "usage: lab-runner INPUT.json RESULT.json FLOWS.csv\n");
    return 1;
  }
  try {
    std::ifstream file(arguments[1]);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(std::string(arguments[1]) + ": cannot be read");
    const lab::Json input = lab::Json::parse(text.str());
    return lab::run(input, arguments[2], arguments[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace

// Leaves without static destructors: ns-3's node list would close devices whose Verilated libraries are gone by then.
int main(int count, char** arguments) {
  const int code = run(count, arguments);
  std::fflush(nullptr);
  std::_Exit(code);
}
