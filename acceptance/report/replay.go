// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	own "github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// ErrRecording is matched when a report has no recording, or an invalid one.
var ErrRecording = errors.New("report: no recording of the buses")

// errEnd ends a replay after the last recorded event.
var errEnd = errors.New("the recording has ended")

// maxAhead is the number of transfers that are searched for a match, if the current checks skip some.
const maxAhead = 2000

// event is an event of a recording.
type event struct {
	kind        byte
	at          time.Time // of eventNow
	bus         byte
	addr        uint16
	failed      own.Kind
	wrote, read []byte
	answer      checks.Answer
}

// Replay is a recording on which the current checks can run. Its methods must be called by one goroutine at a time.
type Replay struct {
	events []event
	next   int
	now    time.Time
	end    context.CancelCauseFunc
	// Missing is the number of transfers of the current checks that the recording does not have, Left the number of
	// recorded transfers that the current checks did not use.
	Missing, Left int
}

// NewReplay parses a recording. The error matches [ErrRecording].
func NewReplay(recording []byte) (*Replay, error) {
	rest, ok := bytes.CutPrefix(recording, []byte(recordingMagic))
	if !ok {
		return nil, fmt.Errorf("%w: %d bytes without its header", ErrRecording, len(recording))
	}
	r := &Replay{now: time.Unix(0, 0)}
	d := decoder{rest: rest}
	for at := r.now; len(d.rest) > 0; {
		e := event{kind: d.byte()}
		switch e.kind {
		case eventNow:
			at = at.Add(time.Duration(d.varint()))
			e.at = at
		case eventTransfer:
			e.bus, e.addr, e.failed = d.byte(), uint16(d.uvarint()), own.Kind(d.byte())
			e.wrote, e.read = d.bytes(), d.bytes()
		case eventAnswer:
			e.answer = checks.Answer{Choice: checks.Choice(d.byte()), Note: string(d.bytes())}
		default:
			d.bad = true
		}
		if d.bad || e.bus > busBoard || e.failed >= own.NumKinds || e.answer.Choice > checks.Repeat {
			return nil, fmt.Errorf("%w: bad event at byte %d", ErrRecording, len(recording)-len(d.rest))
		}
		r.events = append(r.events, e)
	}
	return r, nil
}

// decoder reads numbers and bytes; bad is set if the data ends too early.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.bad = true
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// skip consumes n bytes, as returned by binary.Varint.
func (d *decoder) skip(n int) {
	if d.bad = d.bad || n <= 0; !d.bad {
		d.rest = d.rest[n:]
	}
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	d.skip(n)
	return v
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.skip(n)
	return v
}

func (d *decoder) bytes() []byte {
	n := d.uvarint()
	if d.bad = d.bad || n > uint64(len(d.rest)); d.bad {
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// Run runs the current checks on the recording and returns the results. Those that read files of the robot's computer
// are skipped. It does not sleep. The error is the context's cause.
func (r *Replay) Run(ctx context.Context, quick bool) ([]checks.Result, error) {
	ctx, r.end = context.WithCancelCause(ctx)
	defer r.end(nil)
	robot := checks.Robot{Bus: &replayedBus{r, busRobot}, Now: r.clock, Sleep: func(d time.Duration) { r.now = r.now.Add(max(0, d)) }}
	for _, e := range r.events {
		if e.kind == eventTransfer && e.bus == busBoard {
			robot.Board = &replayedBus{r, busBoard}
			break
		}
	}
	results, err := checks.Run(ctx, robot, replayedPerson{r}, checks.Options{Quick: quick})
	for _, e := range r.events[r.next:] {
		if e.kind == eventTransfer {
			r.Left++
		}
	}
	if cause := context.Cause(ctx); errors.Is(cause, errEnd) || errors.Is(err, checks.ErrNotStopped) {
		err = nil
	}
	return results, err
}

// clock returns the next recorded time, or without one the time advanced by sleeping.
func (r *Replay) clock() time.Time {
	if r.next < len(r.events) && r.events[r.next].kind == eventNow {
		r.now = r.events[r.next].at
		r.next++
	}
	return r.now
}

// find returns the next event that matches and skips those before it.
func (r *Replay) find(matches func(*event) bool) (*event, bool) {
	for i, transfers := r.next, 0; i < len(r.events) && transfers < maxAhead; i++ {
		e := &r.events[i]
		if matches(e) {
			for _, passed := range r.events[r.next:i] {
				switch passed.kind {
				case eventTransfer:
					r.Left++
				case eventNow:
					r.now = passed.at
				}
			}
			r.next = i + 1
			return e, true
		}
		if e.kind == eventTransfer {
			transfers++
		}
	}
	if r.next >= len(r.events) {
		r.end(errEnd)
	}
	return nil, false
}

// replayedBus replays the recorded transfers of a bus.
type replayedBus struct {
	r      *Replay
	number byte
}

var _ i2c.Bus = (*replayedBus)(nil)

// String implements i2c.Bus.
func (b *replayedBus) String() string { return "recording" }

// SetSpeed does nothing.
func (b *replayedBus) SetSpeed(physic.Frequency) error { return nil }

// Tx replays the next recorded transfer with the same written bytes; commands to the main processor may differ.
func (b *replayedBus) Tx(addr uint16, w, r []byte) error {
	e, ok := b.r.find(func(e *event) bool {
		return e.kind == eventTransfer && e.bus == b.number && e.addr == addr && len(e.read) == len(r) &&
			(bytes.Equal(e.wrote, w) || addr == mcu.Addr && len(e.wrote) == len(w))
	})
	if !ok {
		b.r.Missing++
		return fmt.Errorf("report: the recording has no such transfer: %w", system.EREMOTEIO)
	}
	copy(r, e.read)
	return failure(e.failed)
}

// failure returns the error of a kind.
func failure(k own.Kind) error {
	switch k {
	case own.KindNone:
		return nil
	case own.KindNAK:
		return system.EREMOTEIO
	case own.KindTimeout:
		return syscall.ETIMEDOUT
	case own.KindArbitration:
		return syscall.EAGAIN
	case own.KindIO:
		return syscall.EIO
	case own.KindGone:
		return own.ErrClosed
	}
	return fmt.Errorf("report: recorded failure: %s", k)
}

// replayedPerson replays the recorded answers.
type replayedPerson struct{ r *Replay }

// Do implements checks.Person.
func (p replayedPerson) Do(ctx context.Context, _ checks.Request) (checks.Answer, error) {
	return p.answer(ctx)
}

// Judge implements checks.Person.
func (p replayedPerson) Judge(ctx context.Context, _ *checks.Result) (checks.Answer, error) {
	return p.answer(ctx)
}

func (p replayedPerson) answer(ctx context.Context) (checks.Answer, error) {
	e, ok := p.r.find(func(e *event) bool { return e.kind == eventAnswer })
	if !ok {
		p.r.end(errEnd)
		return checks.Answer{}, context.Cause(ctx)
	}
	return e.answer, nil
}

// Differences returns the measurements and faults of the recorded results that differ in those of a replay, one line
// each. Checks that the replay skipped are left out.
func Differences(recorded, replayed []checks.Result) (list []string) {
	for _, p := range pairs(recorded, replayed) {
		switch {
		case p.a == nil:
			list = append(list, p.name+": not in the report")
		case p.b == nil:
			list = append(list, p.name+": not in the replay")
		case p.b.Verdict != checks.Skipped:
			list = append(list, p.differences()...)
		}
	}
	return list
}

// differences compares two results of a check.
func (p *pair) differences() (list []string) {
	for _, m := range p.a.Measurements {
		if v, ok := p.b.Value(m.Name); !ok || v != m.Value {
			list = append(list, fmt.Sprintf("%s: %s: %.6g %s, the report has %.6g", p.name, m.Name, v, m.Unit, m.Value))
		}
	}
	for _, m := range p.b.Measurements {
		if _, ok := p.a.Value(m.Name); !ok {
			list = append(list, fmt.Sprintf("%s: %s: %.6g %s, not in the report", p.name, m.Name, m.Value, m.Unit))
		}
	}
	names := func(r *checks.Result) string {
		var b strings.Builder
		for _, f := range r.Faults {
			b.WriteString(" " + f.Name)
		}
		return b.String()
	}
	if a, b := names(p.a), names(p.b); a != b {
		list = append(list, fmt.Sprintf("%s: faults%s, the report has%s", p.name, b, a))
	}
	return list
}
