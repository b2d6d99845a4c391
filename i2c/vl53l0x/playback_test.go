// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// record parses transactions: one per field, the bytes written in hex, then ">" and the bytes read.
func record(t testing.TB, text string) []i2ctest.IO {
	t.Helper()
	var ops []i2ctest.IO
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, f := range strings.Fields(line) {
			w, r, _ := strings.Cut(f, ">")
			wb, err := hex.DecodeString(w)
			if err != nil {
				t.Fatal(f, err)
			}
			rb, err := hex.DecodeString(r)
			if err != nil {
				t.Fatal(f, err)
			}
			ops = append(ops, i2ctest.IO{Addr: 0x29, W: wb, R: rb})
		}
	}
	return ops
}

// bringUpLongRange is the whole bring-up with the default options, written by hand from ST's procedure. The numbers of
// the timing registers are calculated by hand too.
const bringUpLongRange = `
FF00 BF01 8000 C0>EE
BF00 BF01 C0>EE                                          # soft reset
89>00 8901 8800 8001 FF01 0000 91>3C 91>3C 0001 FF00 8000 # 2.8 V, stop variable
60>00 6012 440020 01FF
8001 FF01 0000 FF06 83>00 8304 FF07 8101 8001 946B 8300  # the memory
83>00 83>10 8301 92>85 92>85 8100 FF06 83>04 8300 FF01 0001 FF00 8000
B0>FFFFFFFFFF0F B0>FFFFFFFFFF0F FF01 4F00 4E2C FF00 B6B4 B000F001000000  # five SPADs
FF01 0000 FF00 0900 1000 1100 2401 25FF 7500 FF01 4E2C 4800 3020
FF00 3009 5400 3104 3203 4083 4625 6000 2700 5006 5100 5296 5608 5730 6100 6200 6400 6500 66A0
FF01 2232 4714 49FF 4A00 FF00 7A0A 7B00 7821
FF01 2334 4200 44FF 4526 4605 4040 0E06 201A 4340 FF00 3403 3544
FF01 3104 4B09 4C05 4D04 FF00 4400 4520 4708 4828 6700 7004 7101 72FE 7600 7700
FF01 0D01 FF00 8001 01F8 FF01 8E01 0001 FF00 8000
0A04 84>11 8401 0B01 01E8 71028A
0101 0041 13>00 13>44 0B01 0000                          # VHV
0102 0001 13>44 0B01 0000 01E8                           # phase
44000D 5750 5608 5008 510074 461D 4848 4708 3203 3007 FF01 3020 FF00 7006 7101CA
0102 0001 13>44 0B01 0000 01E8
89>01 01>E8 0A>04 44>000D 50>08 70>0601CA                # verify
8001 FF01 0000 913C 0001 FF00 8000 0002`

// timedStart ends the bring-up of Standard with a period of 100 ms.
const timedStart = `F8>0044 0400001A90 8001 FF01 0000 913C 0001 FF00 8000 0004`

func TestRecordedBringUp(t *testing.T) {
	text := bringUpLongRange + `
13>00
13>44 14>5800280000000D8000400131 0B01
13>44 14>200028000000000100401FFF 0B01`
	bus := &i2ctest.Playback{Ops: record(t, text), DontPanic: true}
	d, err := New(bus, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	var got []Reading
	for range 60 {
		fresh, err := d.Poll(now)
		if err != nil {
			t.Fatalf("after %d transactions: %v", bus.Count, err)
		}
		if fresh {
			var r Reading
			if err := d.Sense(&r); err != nil {
				t.Fatal(err)
			}
			if got = append(got, r); len(got) == 2 {
				break
			}
		}
		now = now.Add(20 * time.Millisecond)
	}
	if err := bus.Close(); err != nil {
		t.Fatal(err)
	}
	want := Reading{Distance: 0.305, Status: statusValid, SPADs: 40, Signal: 27, Ambient: 0.5}
	if got[0] != want {
		t.Errorf("%+v, want %+v", got[0], want)
	}
	if !math.IsInf(got[1].Distance, 1) || got[1].Status != statusNoTarget {
		t.Errorf("%+v", got[1])
	}
}

// TestRecordedTimed: a profile without VCSEL changes omits their steps, and a period is set in ticks.
func TestRecordedTimed(t *testing.T) {
	text := bringUpLongRange
	cut := strings.Index(text, "44000D 5750")
	text = text[:cut] + "440020 71028A 89>01 01>E8 0A>04 44>0020 50>06 70>04028A " + timedStart
	bus := &i2ctest.Playback{Ops: record(t, text), DontPanic: true}
	d, err := New(bus, 0x29, &Opts{Profile: Standard, Period: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if _, err := d.Poll(time.Unix(0, int64(i)*20e6)); err != nil {
			t.Fatalf("after %d transactions: %v", bus.Count, err)
		}
		if d.State() == device.Running {
			break
		}
	}
	if err := bus.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRecordedVerify: a register with another value than was written ends the bring-up.
func TestRecordedVerify(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     error
	}{
		{"89>01 01>E8", "89>00", device.ErrReset},
		{"44>000D 50>08 70>0601CA", "44>0020", device.ErrVerify},
		{"70>0601CA", "70>0601CB", device.ErrVerify},
		{"92>85", "92>00 92>00", errSPADs},
		{"92>85", "92>21 92>21", errSPADs},
		{"92>85", "92>85 92>84", device.ErrVerify},
		{"B0>FFFFFFFFFF0F", "B0>FFFF00000000 B0>FFFF00000000", errSPADs},
	} {
		text := bringUpLongRange[:strings.Index(bringUpLongRange, c.from)] + c.to
		bus := &i2ctest.Playback{Ops: record(t, text), DontPanic: true}
		d, err := New(bus, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			if _, err = d.Poll(time.Unix(0, int64(i)*20e6)); err != nil {
				break
			}
		}
		if !errors.Is(err, c.want) || d.Stats().FailedStarts != 1 {
			t.Errorf("%s: %v, want %v", c.to, err, c.want)
		}
		if err := bus.Close(); err != nil {
			t.Error(c.to, err)
		}
	}
}
