// SPDX-License-Identifier: Apache-2.0

package reassembly

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Info is what is known of a sample besides its payload.
type Info struct {
	// Time is when it was written, by the writer's clock.
	Time wire.Time
	// Related is the sample it answers, or the reader to be answered.
	Related wire.SampleIdentity
	// Vendor is the implementation that sent it.
	Vendor wire.VendorID
	// Status tells what became of its instance.
	Status wire.StatusInfo
	// Kind says what the payload is.
	Kind wire.PayloadKind
	// Key is from the key hash; zero if there is none.
	Key wire.GUID
}

// Partial is a sample being put together from fragments (DDSI-RTPS 8.4.14.1).
type Partial struct {
	SN             wire.SequenceNumber
	Info           Info
	Data           []byte   // as long as the sample; fragments are copied to their place
	have           []uint64 // one bit a fragment, the first in bit 0
	fragSize       uint16
	count          wire.FragmentNumber // fragments of the sample
	missing        wire.FragmentNumber // how many are not yet there
	highest        wire.FragmentNumber // highest seen
	announced      wire.FragmentNumber // highest a HEARTBEAT_FRAG told of
	Began, touched time.Time
	lent           uint64 // number of the datagram whose handling still reads data
}

// has reports whether fragment f is there.
func (p *Partial) has(f wire.FragmentNumber) bool { return p.have[(f-1)/64]>>((f-1)%64)&1 != 0 }

// store copies the fragments that are new and returns how many were not.
func (p *Partial) store(m *wire.DataFrag) (again uint64) {
	p.highest = max(p.highest, m.Last())
	for k := range int(m.Count) {
		f := m.First + wire.FragmentNumber(k)
		if p.has(f) {
			again++
			continue
		}
		from := int(f-1) * int(p.fragSize)
		to := min(from+int(p.fragSize), len(p.Data))
		copy(p.Data[from:to], m.Payload[k*int(p.fragSize):])
		p.have[(f-1)/64] |= 1 << ((f - 1) % 64)
		p.missing--
	}
	return again
}

// Announce tells that the writer has sent the fragments up to one, and reports whether all of those are surely there.
func (p *Partial) Announce(upTo wire.FragmentNumber) (there bool) {
	p.announced = min(max(p.announced, upTo), p.count)
	return p.complete(p.announced)
}

// TakeAnnounced returns up to which fragment the writer said to have sent since the last call, or 0.
func (p *Partial) TakeAnnounced() wire.FragmentNumber {
	upTo := p.announced
	p.announced = 0
	return upTo
}

// Expected returns up to which fragment the sample should be there: to the end, or to the highest seen if others
// arrived less than a pause ago.
func (p *Partial) Expected(now time.Time, pause time.Duration) wire.FragmentNumber {
	if now.Sub(p.touched) < pause {
		return p.highest
	}
	return p.count
}

// complete reports whether all fragments up to one are surely there, without looking at each.
func (p *Partial) complete(upTo wire.FragmentNumber) bool {
	there := p.count - p.missing
	return there >= max(upTo, p.highest)
}

// MissingSet returns which fragments are not yet there, of those between the given ones, as far as one NACK_FRAG can
// say it. It passes over what is there 64 fragments at a time: a peer may choose small ones.
func (p *Partial) MissingSet(from, to wire.FragmentNumber) (set wire.FragmentNumberSet) {
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
