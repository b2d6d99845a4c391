// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

func TestResident(t *testing.T) {
	const smaps = `100000010000-100000889000 r-xp 00000000 fe:00 123 /bin/program
Size:               8676 kB
Rss:                8000 kB
VmFlags: rd ex mr mw me
100000889000-10000088b000 rw-p 00000000 00:00 0 
Rss:                 500 kB
1000fffff000-100100000000 rw-p 00000000 00:00 0 
Rss:                   4 kB
100100000000-100100001000 rw-p 00000000 00:00 0 
Rss:                9999 kB
7f0000000000-7f0000001000 r--p 00000000 fe:00 7 /usr/lib/libc.so
Rss:                9999 kB
`
	got, err := resident(strings.NewReader(smaps))
	if want := (memory{all: 8504, file: 8000}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, err := resident(strings.NewReader("zz-10 r-xp 0 0 0\n")); err == nil {
		t.Error("a bad address is accepted")
	}
	if _, err := resident(strings.NewReader("100000010000-100000889000 r-xp 0 0 0\nRss: many kB\n")); err == nil {
		t.Error("a bad size is accepted")
	}
}

func TestResidentOfAProcess(t *testing.T) {
	if m, err := residentOf(os.Getpid()); err != nil || m.all < 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := residentOf(-1); err == nil {
		t.Error("a process that does not exist is accepted")
	}
}

func TestAttribute(t *testing.T) {
	symbols := []symbol{{0x1000, "first"}, {0x2000, "second"}}
	got, err := attribute(strings.NewReader("1000 5 2 1 0\n1010 3 1 2 4\n2004 10 10 0 0\n800 1 1 0 0\n"), symbols)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b spent) int { return cmp.Compare(b.instructions, a.instructions) })
	want := []spent{{"second", 100, 0, 0}, {"first", 13, 3, 4}, {"?", 1, 0, 0}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	if cycles := got[1].cycles(p); cycles != 13+3*44+4*44 {
		t.Errorf("%v cycles", cycles)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %v, want %v", i, got[i], want[i])
		}
	}
	for _, bad := range []string{"1000 5 2 1", "x 5 2 1 0", "1000 x 2 1 0", "1000 5 x 1 0", "1000 5 2 1 0 0"} {
		if _, err := attribute(strings.NewReader(bad), symbols); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
