// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// memoryBudget bounds what peers can make a participant hold: samples in assembly and out-of-order ones. Guarded by Participant.mu.
type memoryBudget struct{ used, limit int }

func (m *memoryBudget) take(n int) bool {
	if n > m.limit-m.used {
		return false
	}
	m.used += n
	return true
}

func (m *memoryBudget) release(n int) { m.used -= n }

// partial is a sample being put together from fragments (DDSI-RTPS 8.4.14.1).
type partial struct {
	sn       wire.SequenceNumber
	info     sampleInfo
	data     []byte   // as long as the sample; fragments are copied to their place
	have     []uint64 // one bit a fragment, the first in bit 0
	fragSize uint16
	count    wire.FragmentNumber // fragments of the sample
	missing  wire.FragmentNumber // how many are not yet there
	highest  wire.FragmentNumber // highest seen
	touched  time.Time
	lent     uint64 // number of the datagram whose handling still reads data
}

// has reports whether fragment f is there.
func (p *partial) has(f wire.FragmentNumber) bool { return p.have[(f-1)/64]>>((f-1)%64)&1 != 0 }

// store copies the fragments that are new.
func (p *partial) store(m *wire.DataFrag) {
	p.highest = max(p.highest, m.Last())
	for k := range int(m.Count) {
		f := m.First + wire.FragmentNumber(k)
		if p.has(f) {
			continue
		}
		from := int(f-1) * int(p.fragSize)
		to := min(from+int(p.fragSize), len(p.data))
		copy(p.data[from:to], m.Payload[k*int(p.fragSize):])
		p.have[(f-1)/64] |= 1 << ((f - 1) % 64)
		p.missing--
	}
}

// missingSet returns which fragments are not yet there, of those between the given ones, as far as one NACK_FRAG can say it.
func (p *partial) missingSet(from, to wire.FragmentNumber) (set wire.FragmentNumberSet) {
	for f := from; f <= to; f++ {
		if p.has(f) {
			continue
		}
		if set.Base == 0 {
			set.Base = f
		}
		if !set.Add(f) {
			break
		}
	}
	return set
}
