// SPDX-License-Identifier: Apache-2.0

package report

import (
	"context"
	"encoding/binary"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	own "github.com/epuck-ros2/epuck-driver/i2c"
)

// recordingMagic is the header of a recording of format 1.
const recordingMagic = "EPR\x01"

// maxRecording is the maximum size of a recording, bytes; a complete test of an hour has about 3 MB.
const maxRecording = 64 << 20

// The kinds of events in a recording. Numbers are varints; byte strings are preceded by their length.
const (
	eventNow      = 'N' // the clock was read: ns since the previous reading, zigzag
	eventTransfer = 'T' // bus, address, kind of error, bytes written, bytes read
	eventAnswer   = 'A' // answer of the person: choice, note
)

// The buses of a recording.
const (
	busRobot = iota
	busBoard
)

// Recorder records all inputs of a test, in order: the transfers on both buses, the readings of the clock, the
// person's answers. Its methods must be called by one goroutine at a time, as the checks do.
type Recorder struct {
	data []byte
	last time.Time
}

// Record returns a robot and a person that the checks use instead of the originals, and the recorder of both.
func Record(r checks.Robot, p checks.Person) (checks.Robot, checks.Person, *Recorder) {
	rec := &Recorder{data: []byte(recordingMagic), last: time.Unix(0, 0)}
	now := r.Now
	r.Now = func() time.Time {
		t := now()
		if rec.open() {
			rec.data = binary.AppendVarint(append(rec.data, eventNow), int64(t.Sub(rec.last)))
			rec.last = t
		}
		return t
	}
	r.Bus = &recordedBus{r.Bus, rec, busRobot}
	if r.Board != nil {
		r.Board = &recordedBus{r.Board, rec, busBoard}
	}
	return r, recordedPerson{p, rec}, rec
}

// open reports whether the recording can be extended.
func (r *Recorder) open() bool { return len(r.data) < maxRecording-1<<16 }

// Bytes returns the recording.
func (r *Recorder) Bytes() []byte { return r.data }

func (r *Recorder) bytes(b []byte) {
	r.data = append(binary.AppendUvarint(r.data, uint64(len(b))), b...)
}

// recordedBus is a bus whose transfers are recorded.
type recordedBus struct {
	bus    i2c.Bus
	rec    *Recorder
	number byte
}

// String returns the name of the bus.
func (b *recordedBus) String() string { return b.bus.String() }

// SetSpeed sets the speed of the bus.
func (b *recordedBus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// Tx executes and records a transfer.
func (b *recordedBus) Tx(addr uint16, w, r []byte) error {
	err := b.bus.Tx(addr, w, r)
	if !b.rec.open() {
		return err
	}
	b.rec.data = append(binary.AppendUvarint(append(b.rec.data, eventTransfer, b.number), uint64(addr)), byte(own.KindOf(err)))
	b.rec.bytes(w)
	b.rec.bytes(r)
	return err
}

// recordedPerson is a person whose answers are recorded.
type recordedPerson struct {
	checks.Person
	rec *Recorder
}

// Do implements checks.Person.
func (p recordedPerson) Do(ctx context.Context, q checks.Request) (checks.Answer, error) {
	a, err := p.Person.Do(ctx, q)
	return p.answered(a, err)
}

// Judge implements checks.Person.
func (p recordedPerson) Judge(ctx context.Context, r *checks.Result) (checks.Answer, error) {
	a, err := p.Person.Judge(ctx, r)
	return p.answered(a, err)
}

func (p recordedPerson) answered(a checks.Answer, err error) (checks.Answer, error) {
	if err == nil && p.rec.open() {
		p.rec.data = append(p.rec.data, eventAnswer, byte(a.Choice))
		p.rec.bytes([]byte(a.Note))
	}
	return a, err
}
