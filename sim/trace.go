// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
)

// trace is the record of one robot, as a hash: every pose that differs from the one before, every transfer on its
// buses, every message between robots that it heard, and what those who use it add. It is guarded by the simulation's
// lock, but that the step under way writes it from the goroutine that has the robot.
type trace struct {
	sum  hash.Hash
	last Pose
	buf  []byte
}

// Kinds of records; part of what is hashed.
const (
	tracePose byte = iota + 1
	traceTransfer
	traceHeard
	traceMessage
)

func newTrace(name string) *trace {
	t := &trace{sum: sha256.New(), last: Pose{X: math.Inf(1)}}
	t.sum.Write([]byte(name))
	return t
}

// pose records where the robot is at the end of an infrared cycle, if that has changed. A nil trace records nothing.
func (t *trace) pose(cycle int64, p Pose) {
	if t == nil || p == t.last {
		return
	}
	t.last = p
	b := append(t.buf[:0], tracePose)
	b = binary.LittleEndian.AppendUint64(b, uint64(cycle))
	for _, v := range [3]float64{p.X, p.Y, p.Theta} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	t.put(b)
}

// put hashes a record and keeps its memory.
func (t *trace) put(b []byte) {
	t.buf = b
	t.sum.Write(b)
}

// begin begins a record of a kind at the world's time.
func (t *trace) begin(kind byte, s *Simulation) []byte {
	return binary.LittleEndian.AppendUint64(append(t.buf[:0], kind), uint64(s.kernel.Time()))
}

// text appends a string or bytes with their length.
func text[T string | []byte](b []byte, v T) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
}

// record notes a transfer on one of the robot's buses.
func (r *Firmware) record(bus string, addr uint16, w, answer []byte, err error) {
	t := r.trace
	if t == nil {
		return
	}
	s := r.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kernel.Reach()
	b := text(t.begin(traceTransfer, s), bus)
	b = text(binary.LittleEndian.AppendUint16(b, addr), w)
	if err != nil { // what was read then is worth nothing
		b = text(b, err.Error())
	} else {
		b = text(b, answer)
	}
	t.put(b)
}

// Record adds something to the robot's part of the trace: a topic and a message published on it, say.
func (u *unit) Record(topic string, message []byte) {
	t := u.trace
	if t == nil {
		return
	}
	s := u.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	t.put(text(text(t.begin(traceMessage, s), topic), message))
}

// TraceHash returns the SHA-256 of all that has happened since New: poses, bytes on the buses, messages between robots,
// and what was recorded. It is the same for the same world, seed and use, on any number of processors of any kind;
// without Options.Trace it covers the robots' names alone. The run may continue.
func (s *Simulation) TraceHash() [sha256.Size]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	all := sha256.New()
	all.Write(s.gone.Sum(nil))
	for _, u := range s.units {
		all.Write(u.plant.appendState(text(nil, u.name)))
		if u.trace != nil {
			all.Write(u.trace.sum.Sum(nil))
		}
	}
	all.Write(s.tracePersons())
	all.Write(s.traceMovables())
	return [sha256.Size]byte(all.Sum(nil))
}
