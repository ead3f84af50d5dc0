/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver at work: find a device, mark above 30,000 bytes on port 0, show what its counters say.
 *
 * Linux user space, with the resource file of a PCI device or a file of the same layout, and the window's offset in it:
 *
 *     cc -std=c11 -O2 -o example example.c truemark_driver.c
 *     ./example /sys/bus/pci/devices/0000:01:00.0/resource2 0x220000
 *
 * Bare metal (the registers at a fixed address, no operating system, no libc):
 *
 *     cc -std=c11 -O2 -ffreestanding -DTRUEMARK_BASE=0xA0000000 -c example.c truemark_driver.c
 */
#include "truemark_driver.h"

enum { THRESHOLD = 30000, LIMIT = 300000 };

/* One 32-bit access, done before the next begins. */
static int window_read(void* context, uint32_t offset, uint32_t* value) {
  *value = ((volatile uint32_t*)context)[offset / 4];
  return 0;
}

static int window_write(void* context, uint32_t offset, uint32_t value) {
  ((volatile uint32_t*)context)[offset / 4] = value;
  return 0;
}

static truemark_result run(void* window, uint32_t* fault, truemark_count counts[TRUEMARK_CODES]) {
  const truemark_access access = {window_read, window_write, window};
  truemark_device device;
  truemark_config config;
  truemark_result result = truemark_open(&device, &access);
  *fault = 0;
  if (result != TRUEMARK_OK) return result;
  truemark_true_mark(&config, THRESHOLD, device.info.storage < LIMIT ? device.info.storage : LIMIT);
  result = truemark_configure(&device, 0, &config, fault);
  if (result == TRUEMARK_OK) result = truemark_snapshot(&device);
  if (result == TRUEMARK_OK) result = truemark_counters(&device, 0, counts);
  return result;
}

#if defined(TRUEMARK_BASE)

/* What a debugger looks at. */
truemark_count truemark_counts[TRUEMARK_CODES];
uint32_t truemark_fault;

int main(void) { return (int)run((void*)(uintptr_t)TRUEMARK_BASE, &truemark_fault, truemark_counts); }

#else

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WINDOW = 4096 };

int main(int argc, char** argv) {
  truemark_count counts[TRUEMARK_CODES];
  uint32_t fault;
  if (argc != 3) {
    fprintf(stderr, "usage: %s FILE OFFSET\n", argv[0]);
    return 2;
  }
  const int file = open(argv[1], O_RDWR | O_SYNC);
  if (file < 0) {
    perror(argv[1]);
    return 1;
  }
  void* window = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)strtoull(argv[2], NULL, 0));
  if (window == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  const truemark_result result = run(window, &fault, counts);
  if (result != TRUEMARK_OK) {
    fprintf(stderr, "%s%s%s\n", truemark_result_text(result), fault ? ": " : "",
            fault ? truemark_fault_text(fault) : "");
    return 1;
  }
  for (uint32_t code = 0; code < TRUEMARK_CODES; code++) {
    if (counts[code].packets == 0) continue;
    printf("%-28s %12llu packets %15llu bytes\n", truemark_code_text(code), (unsigned long long)counts[code].packets,
           (unsigned long long)counts[code].bytes);
  }
  return 0;
}

#endif
