// SPDX-License-Identifier: Apache-2.0

// Package trace records what happens to a robot or a thing as a hash, so that two runs can be compared by 32 bytes:
// every pose that differs from the one before, every transfer on its buses, every message that it received, and what
// those who use it add.
package trace

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Trace is the record of one robot or thing. A nil trace records nothing. It is guarded by the lock of the world, but
// that the step under way writes it from the goroutine that moves the robot.
type Trace struct {
	sum  hash.Hash
	last geom.Pose
	buf  []byte
}

// Kinds of records; part of what is hashed.
const (
	kindPose byte = iota + 1
	kindTransfer
	kindReceived
	kindMessage
)

// New returns an empty trace of what has a name.
func New(name string) *Trace {
	t := &Trace{sum: sha256.New(), last: geom.Pose{X: math.Inf(1)}}
	t.sum.Write([]byte(name))
	return t
}

// Pose records a pose at the end of an infrared cycle, if it has changed.
func (t *Trace) Pose(cycle int64, p geom.Pose) {
	if t == nil || p == t.last {
		return
	}
	t.last = p
	b := append(t.buf[:0], kindPose)
	b = binary.LittleEndian.AppendUint64(b, uint64(cycle))
	for _, v := range [3]float64{p.X, p.Y, p.Theta} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	t.put(b)
}

// Transfer records a transfer on a bus: the bytes written to an address, and the answer or the error.
func (t *Trace) Transfer(now time.Duration, bus string, addr uint16, w, answer []byte, err error) {
	if t == nil {
		return
	}
	b := Text(t.begin(kindTransfer, now), bus)
	b = Text(binary.LittleEndian.AppendUint16(b, addr), w)
	if err != nil { // what was read then is worth nothing
		b = Text(b, err.Error())
	} else {
		b = Text(b, answer)
	}
	t.put(b)
}

// Receive records n messages that a robot received in an infrared cycle: of each the distance (m) and the direction (rad)
// from which it came, and its bytes.
func (t *Trace) Receive(cycle int64, n int, message func(i int) (distance, bearing float64, payload []byte)) {
	if t == nil || n == 0 {
		return
	}
	b := append(t.buf[:0], kindReceived)
	b = binary.LittleEndian.AppendUint64(b, uint64(cycle))
	for i := range n {
		distance, bearing, payload := message(i)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(distance))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(bearing))
		b = Text(b, payload)
	}
	t.put(b)
}

// Message records a message on a topic, or whatever else has two texts.
func (t *Trace) Message(now time.Duration, topic string, message []byte) {
	if t != nil {
		t.put(Text(Text(t.begin(kindMessage, now), topic), message))
	}
}

// AppendSum appends the hash of what was recorded; the trace may continue. A nil trace has none.
func (t *Trace) AppendSum(b []byte) []byte {
	if t == nil {
		return b
	}
	return t.sum.Sum(b)
}

// put hashes a record and keeps its memory.
func (t *Trace) put(b []byte) {
	t.buf = b
	t.sum.Write(b)
}

// begin begins a record of a kind at the world's time.
func (t *Trace) begin(kind byte, now time.Duration) []byte {
	return binary.LittleEndian.AppendUint64(append(t.buf[:0], kind), uint64(now))
}

// Text appends a text or bytes with their length to what is hashed.
func Text[T string | []byte](b []byte, v T) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
}
