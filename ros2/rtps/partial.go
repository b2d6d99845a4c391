// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// partial is a sample being put together from fragments (DDSI-RTPS 8.4.14.1).
type partial struct {
	sn             wire.SequenceNumber
	info           sampleInfo
	data           []byte   // as long as the sample; fragments are copied to their place
	have           []uint64 // one bit a fragment, the first in bit 0
	fragSize       uint16
	count          wire.FragmentNumber // fragments of the sample
	missing        wire.FragmentNumber // how many are not yet there
	highest        wire.FragmentNumber // highest seen
	announced      wire.FragmentNumber // highest a HEARTBEAT_FRAG told of
	began, touched time.Time
	lent           uint64 // number of the datagram whose handling still reads data
}

// has reports whether fragment f is there.
func (p *partial) has(f wire.FragmentNumber) bool { return p.have[(f-1)/64]>>((f-1)%64)&1 != 0 }

// store copies the fragments that are new and returns how many were not.
func (p *partial) store(m *wire.DataFrag) (again uint64) {
	p.highest = max(p.highest, m.Last())
	for k := range int(m.Count) {
		f := m.First + wire.FragmentNumber(k)
		if p.has(f) {
			again++
			continue
		}
		from := int(f-1) * int(p.fragSize)
		to := min(from+int(p.fragSize), len(p.data))
		copy(p.data[from:to], m.Payload[k*int(p.fragSize):])
		p.have[(f-1)/64] |= 1 << ((f - 1) % 64)
		p.missing--
	}
	return again
}

// complete reports whether all fragments up to one are surely there, without looking at each.
func (p *partial) complete(upTo wire.FragmentNumber) bool {
	there := p.count - p.missing
	return there >= max(upTo, p.highest)
}

// missingSet returns which fragments are not yet there, of those between the given ones, as far as one NACK_FRAG can
// say it. It passes over what is there 64 fragments at a time: a peer may choose small ones.
func (p *partial) missingSet(from, to wire.FragmentNumber) (set wire.FragmentNumberSet) {
	for f := from; f <= to; f++ {
		if (f-1)%64 == 0 && p.have[(f-1)/64] == ^uint64(0) {
			f += 63
			continue
		}
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
