// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// waits tries what a thread can wait for, and says how long it took in ms of simulated time.
const waits = `
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static struct timespec last;

static void said(const char *what, long value) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double ms = (now.tv_sec - last.tv_sec) * 1e3 + (now.tv_nsec - last.tv_nsec) * 1e-6 - 0.25;
  printf("%s %ld %.0f\n", what, value, ms < 0 ? 0 : ms);
  clock_gettime(CLOCK_MONOTONIC, &last);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;
static int pipes[2];

static void *other(void *nothing) {
  (void)nothing;
  usleep(20000);
  pthread_mutex_lock(&mutex);
  turn = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  usleep(30000);
  write(pipes[1], "x", 1);
  usleep(30000);
  write(pipes[1], "y", 1);
  return (void *)7;
}

static void caught(int signal) { (void)signal; }

int main(void) {
  clock_gettime(CLOCK_MONOTONIC, &last);
  pipe(pipes);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&mutex);
  while (!turn) {
    pthread_cond_wait(&condition, &mutex);
  }
  said("condition", turn);
  char c;
  read(pipes[0], &c, 1);
  said("pipe", c);
  struct pollfd p = {.fd = pipes[0], .events = POLLIN, .revents = 99};
  said("poll", poll(&p, 1, 10) * 100 + p.revents);
  said("poll", poll(&p, 1, -1) * 100 + p.revents);
  void *result;
  pthread_join(thread, &result);
  said("thread", (long)result);

  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  said("condition", pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 3;
  said("absolute", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));

  int t = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec when = {.it_value = {0, 40000000}, .it_interval = {0, 10000000}}, old;
  timerfd_settime(t, 0, &when, NULL);
  uint64_t n;
  read(t, &n, sizeof n);
  said("timer", (long)n);
  usleep(35000);
  read(t, &n, sizeof n);
  said("timer", (long)n);
  int e = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = t};
  epoll_ctl(e, EPOLL_CTL_ADD, t, &event);
  when.it_interval.tv_nsec = 0;
  timerfd_settime(t, 0, &when, &old);
  said("old", old.it_interval.tv_nsec / 1000000);
  said("epoll", epoll_wait(e, &event, 1, 15));
  said("epoll", epoll_wait(e, &event, 1, 1000));
  read(t, &n, sizeof n);
  said("timer", (long)n);
  clock_gettime(CLOCK_REALTIME, &until);
  when.it_value = (struct timespec){until.tv_sec + 1, until.tv_nsec};
  t = timerfd_create(CLOCK_REALTIME, 0);
  timerfd_settime(t, TFD_TIMER_ABSTIME, &when, NULL);
  read(t, &n, sizeof n);
  said("absolute", (long)n);
  t = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
  said("nothing", read(t, &n, sizeof n) < 0 && errno == EAGAIN);

  said("yield", sched_yield());
  struct timeval day;
  gettimeofday(&day, NULL);
  said("day", day.tv_sec / 1000000);
  said("fork", fork() < 0 && errno == EPERM);
  unsigned char random[64] = {0};
  getrandom(random, sizeof random, 0);
  long zeros = 0;
  for (size_t i = 0; i < sizeof random; i++) {
    zeros += random[i] == 0;
  }
  said("zeros", zeros < 8);
  signal(SIGALRM, caught);
  said("select", select(0, NULL, NULL, NULL, &(struct timeval){0, 1}) < 0 && errno == ENOSYS);
  struct timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  said("processor", cpu.tv_sec == 0 && cpu.tv_nsec > 0 && cpu.tv_nsec < 20000000);
  return 0;
}`

// TestWaits: what a thread can wait for comes at its simulated time, and twice the same.
func TestWaits(t *testing.T) {
	program := compiled(t, waits)
	cfg := config(t)
	r, m := rack(t, cfg)
	out := start(t, m, program)
	finish(t, r, 20*time.Second)
	want := []string{
		"condition 1 20", "pipe 120 30", "poll 0 10", "poll 101 20", "thread 7 0", "condition 1 2000", "absolute 0 3000",
		"timer 1 40", "timer 3 35", "old 10 0", "epoll 0 15", "epoll 1 25", "timer 1 0", "absolute 1 1000", "nothing 1 0",
		"yield 0 0", "day 1000 0", "fork 1 0", "zeros 1 0", "select 1 0", "processor 1 0",
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	m.Status()
	for i := range max(len(want), len(got)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("line %d: got %q, want %q", i, at(got, i), at(want, i))
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// controller drives a robot as the driver does: every 50 ms an exchange, by the clock.
const controller = `
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int f = open("/dev/i2c-12", O_RDWR);
  unsigned long functions = 0;
  printf("%d %lu %d\n", ioctl(f, I2C_FUNCS, &functions), functions, ioctl(f, I2C_TIMEOUT, 2));
  unsigned char out[3] = {1, 2, 3}, in[2] = {0, 0};
  struct i2c_msg messages[2] = {{0x1f, 0, 3, out}, {0x1f, I2C_M_RD, 2, in}};
  struct i2c_rdwr_ioctl_data data = {messages, 2};
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (int i = 0; i < 4; i++) {
    int n = ioctl(f, I2C_RDWR, &data);
    printf("%d %d %d\n", n, in[0], in[1]);
    next.tv_nsec += 50000000;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000, next.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  messages[0].addr = 0x20;
  int n = ioctl(f, I2C_RDWR, &data);
  printf("%d %d\n", n, errno == EREMOTEIO);
  n = ioctl(f, 0x07ff, 0);
  printf("%d %d\n", n, errno == ENOTTY);
  data.nmsgs = 0;
  n = ioctl(f, I2C_RDWR, &data);
  printf("%d %d\n", n, errno == EINVAL);
  n = ioctl(open("/dev/null", O_RDWR), I2C_FUNCS, &functions);
  printf("%d\n", n);
  return 0;
}`

// slowBus answers with what it heard; its wires take 5 ms.
type slowBus struct {
	rack    *Rack
	begins  []time.Duration
	timeout time.Duration
}

func (b *slowBus) SetTimeout(d time.Duration) { b.timeout = d }

func (b *slowBus) Tx(addr uint16, w, r []byte) error {
	if addr != 0x1f {
		return unix.EREMOTEIO
	}
	b.begins = append(b.begins, b.rack.Now().Sub(b.rack.start))
	b.rack.Sleep(3 * time.Millisecond)
	b.rack.Sleep(2 * time.Millisecond)
	r[0], r[1] = w[0]+w[1]+w[2], byte(len(b.begins))
	return nil
}

// TestDevice: a program's transfers are made at the simulated times at which it makes them, and the core is free
// meanwhile.
func TestDevice(t *testing.T) {
	program, busy := compiled(t, controller), compiled(t, spinner)
	cfg := config(t)
	r := NewRack(time.Unix(1_000_000_000, 0), 1)
	defer func() {
		if err := errors.Join(r.Close()); err != nil {
			t.Error(err)
		}
		if err := r.Close(); !errors.Is(err, errClosed) {
			t.Errorf("closed again: %v", err)
		}
	}()
	bus := &slowBus{rack: r}
	cfg.Buses = map[int]Bus{12: bus}
	m, err := r.Add(cfg)
	if err != nil {
		t.Fatal(err)
	}
	out := start(t, m, program)
	start(t, m, busy, "1000000")
	finish(t, r, time.Second)
	m.Status()
	if want := "0 1 0\n2 6 1\n2 6 2\n2 6 3\n2 6 4\n-1 1\n-1 1\n-1 1\n-1\n"; out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
	if len(bus.begins) != 4 || bus.timeout != 20*time.Millisecond {
		t.Fatalf("%v, time-out %v", bus.begins, bus.timeout)
	}
	for i, at := range bus.begins {
		if d := at - bus.begins[0] - time.Duration(i)*50*time.Millisecond; d < -2*time.Millisecond || d > 2*time.Millisecond {
			t.Errorf("transfer %d at %v", i, bus.begins)
		}
	}
}

// TestSeveralMachines: machines of a rack advance together, each with a core of its own, for any number of workers.
func TestSeveralMachines(t *testing.T) {
	program := compiled(t, controller)
	cfg := config(t)
	var seen [][]time.Duration
	for _, workers := range []int{1, 2} {
		r := NewRack(time.Unix(1_000_000_000, 0), workers)
		var buses []*slowBus
		for i := range 2 {
			bus := &slowBus{rack: r}
			own := cfg
			own.Files, own.Buses, own.Seed = t.TempDir(), map[int]Bus{12: bus}, uint32(i)
			m, err := r.Add(own)
			if err != nil {
				t.Fatal(err)
			}
			buses = append(buses, bus)
			start(t, m, program)
		}
		finish(t, r, time.Second)
		for _, b := range buses {
			seen = append(seen, b.begins)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, s := range seen {
		if len(s) != 4 || !slices.Equal(s, seen[0]) {
			t.Errorf("transfers at %v", seen)
		}
	}
}
