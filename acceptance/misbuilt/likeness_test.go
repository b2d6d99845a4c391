// SPDX-License-Identifier: Apache-2.0

package misbuilt

import (
	"encoding/binary"
	"errors"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
)

// fakeBus answers each read with a reply whose checksum is right.
type fakeBus struct{ reply []byte }

func (fakeBus) String() string                   { return "fake" }
func (fakeBus) SetSpeed(physic.Frequency) error  { return nil }
func (b fakeBus) Tx(_ uint16, _, r []byte) error { copy(r, b.reply); return nil }

// transferrer returns a bus with faults, and what a robot answers on it.
func transferrer(reply []byte, at *time.Duration, faults ...Fault) func(addr uint16, w []byte, n int) ([]byte, error) {
	b := &Bus{bus: fakeBus{reply}, now: func() time.Duration { return *at }, counts: map[uint16]uint64{}}
	for _, f := range faults {
		b.effects = append(b.effects, f.make())
	}
	return func(addr uint16, w []byte, n int) ([]byte, error) {
		r := make([]byte, n)
		return r, b.Tx(addr, w, r)
	}
}

func TestLikenessChangesTheWordsOfAReply(t *testing.T) {
	reply := make([]byte, sensorsSize)
	binary.LittleEndian.PutUint16(reply, 100)     // ps0
	binary.LittleEndian.PutUint16(reply[2:], 100) // ps1
	binary.LittleEndian.PutUint16(reply[32:], 50) // the first microphone
	reply[40] = 0x1A                              // button and selector
	reply[sensorsSize-1] = checksum(reply)
	l := Unchanged(3)
	l.Infrared[0], l.Infrared[1], l.Microphones[0] = Line{2, 5}, Line{1, -500}, Line{0.5, 0}
	tx := transferrer(reply, new(time.Duration), l.Fault())
	r, err := tx(addrMCU, nil, sensorsSize)
	if err != nil || checksum(r) != 0 {
		t.Fatalf("checksum %#x: %v", checksum(r), err)
	}
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(r[at:]) }
	if word(0) != 205 || word(2) != 0 || word(32) != 25 || r[40] != 0x13 {
		t.Errorf("ps0 %d, ps1 %d, microphone %d, selector %#x", word(0), word(2), word(32), r[40])
	}
}

func TestLikenessFailsTransfersInItsShare(t *testing.T) {
	l := Unchanged(10)
	l.NotAcknowledged, l.TimedOut = 0.1, 0.25
	tx := transferrer(make([]byte, sensorsSize), new(time.Duration), l.Fault())
	lost, late := 0, 0
	for range 1000 {
		switch _, err := tx(addrMCU, nil, sensorsSize); {
		case errors.Is(err, errNoAnswer):
			lost++
		case errors.Is(err, syscall.ETIMEDOUT):
			late++
		}
	}
	if lost < 98 || lost > 101 || late < 223 || late > 226 { // a lost one can't be late
		t.Errorf("%d of 1000 lost, %d late", lost, late)
	}
}

func TestWheelsStartLateAndStopAtOnce(t *testing.T) {
	begin := delayedStart(100 * time.Millisecond)
	for i, step := range []struct {
		at        int // ms
		want, got int16
	}{{0, 300, 0}, {60, 300, 0}, {110, 300, 300}, {160, 0, 0}, {210, 300, 0}, {320, 300, 300}} {
		c := transfer{addr: addrMCU, w: make([]byte, commandSize), at: time.Duration(step.at) * time.Millisecond}
		c.setSpeeds(step.want, step.want)
		begin(&c)
		if left, right := c.speeds(); left != step.got || right != step.got {
			t.Errorf("step %d: %d and %d of %d steps/s, want %d", i, left, right, step.want, step.got)
		}
	}
}

func TestCountersCountAShareAlsoWhenTheyWrapRound(t *testing.T) {
	effect := Counters(1.5, 1).make()
	c := transfer{addr: addrMCU, r: make([]byte, sensorsSize)}
	for _, n := range []int16{32760, -32766, -32756} { // 32760, then 10 and 10 more
		c.setSteps(n, n)
		effect.after(&c)
	}
	if left, right := c.steps(); left != -32746 || right != -32756 { // 32760 and 30 more, 20 more
		t.Errorf("counters %d and %d", left, right)
	}
}
