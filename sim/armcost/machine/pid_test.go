// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"strings"
	"testing"
	"time"
)

// signaller writes its process number and sends signals to itself, to its process and to another of its threads.
const signaller = `
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic int caught[3], other;
static void catch(int s) { caught[s == SIGUSR1 ? 0 : s == SIGUSR2 ? 1 : 2]++; }
static void *waits(void *nothing) {
  other = (int)syscall(SYS_gettid);
  while (caught[2] == 0) {
    usleep(1000);
  }
  return nothing;
}
int main(void) {
  struct sigaction a = {.sa_handler = catch, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &a, NULL);
  sigaction(SIGUSR2, &a, NULL);
  sigaction(SIGURG, &a, NULL);
  int pid = getpid();
  long thread = syscall(SYS_tgkill, pid, syscall(SYS_gettid), SIGUSR1);
  long process = kill(pid, SIGUSR2);
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  while (other == 0) {
    usleep(1000);
  }
  long another = syscall(SYS_tgkill, pid, other, SIGURG);
  pthread_join(t, NULL);
  printf("%d: %ld %ld %ld, caught %d %d %d, none %ld\n", pid, thread, process, another, caught[0], caught[1], caught[2],
         syscall(SYS_tgkill, pid, 1 << 29, SIGURG));
  return 0;
}`

// TestProcessNumberIsTheMachines: a program's process number is the machine's and not this computer's, and signals that
// are sent to it arrive, each once.
func TestProcessNumberIsTheMachines(t *testing.T) {
	program := compiled(t, signaller)
	r, m := rack(t, config(t))
	first, second := start(t, m, program), start(t, m, program)
	finish(t, r, 2*time.Second)
	const want = ": 0 0 0, caught 1 1 1, none -1"
	if got := strings.TrimSpace(first.String()); got != "1001"+want {
		t.Errorf("%q", got)
	}
	if got := strings.TrimSpace(second.String()); got != "1002"+want {
		t.Errorf("%q", got)
	}
}
