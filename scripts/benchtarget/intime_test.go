// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"errors"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// metronome exchanges data with the robot 20 times a second, and executes 200,000 instructions in between.
const metronome = `
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>
#include <time.h>
int main(void) {
  int f = open("/dev/i2c-12", O_RDWR);
  unsigned char out[20] = {0}, in[47];
  struct i2c_msg messages[2] = {{0x1f, 0, sizeof out, out}, {0x1f, I2C_M_RD, sizeof in, in}};
  struct i2c_rdwr_ioctl_data data = {messages, 2};
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    ioctl(f, I2C_RDWR, &data);
    unsigned n = 100000;
    __asm__ volatile("1: subs %0, %0, #1\n bne 1b\n" : "+r"(n));
    next.tv_nsec += 50000000;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000, next.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
}`

// clocked compiles a program for the robot instead of the release's.
func clocked(t *testing.T, text string) tools {
	t.Helper()
	for _, tool := range []string{"gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "arm-linux-gnueabi-gcc", "-static", "-O1", "-marm", "-march=armv6", "-o", program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return tools{dir: dir, release: program}
}

// TestInTimeRepeats: the count of a program in simulated time is per cycle, and repeats exactly, independent of the
// load of this machine.
func TestInTimeRepeats(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	c := clocked(t, metronome)
	first, err := c.inTime(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.inTime(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if first.times != 200 || !maps.Equal(first.Events, again.Events) || !maps.Equal(first.Calls, again.Calls) {
		t.Errorf("%+v, and again %+v", first, again)
	}
	one := first.per()
	if n := one.Events["instructions"]; n < 200_000 || n > 205_000 || one.Calls[armcost.SysNanosleep64]+one.Calls[265]+one.Calls[407] < 0.99 {
		t.Errorf("%+v", one)
	}
}

// TestInTimeEnds: a program that ends early is an error.
func TestInTimeEnds(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	c := clocked(t, "int main(void) { for (volatile int i = 0; i < 1000; i++) {} return 0; }")
	if n, err := c.inTime(t.Context(), p); !errors.Is(err, errEnded) {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestTwoCycles: the simple estimate is two cycles an instruction, plus the kernel's part.
func TestTwoCycles(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	c := armcost.Counts{Events: map[string]float64{"instructions": 1e6, "cycles": 5e6}, Calls: map[int]float64{armcost.SysSend: 10}}
	e := p.Of(c)
	if want := (2e6 + 10*p.Parameters["kernel_datagram"].Likely) / 1e9; math.Abs(twoCycles(e, p)-want) > 1e-9 {
		t.Errorf("%g s, want %g", twoCycles(e, p), want)
	}
}

// TestReleaseIsBuiltWhereWanted: the release is built only for scenarios that run it.
func TestReleaseIsBuiltWhereWanted(t *testing.T) {
	for pattern, want := range map[string]bool{"": true, "whole program at 20 Hz, no": true, "picture": false, "recorded": false} {
		if got := wantsRelease(regexp.MustCompile(pattern)); got != want {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}
