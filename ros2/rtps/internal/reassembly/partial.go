// SPDX-License-Identifier: Apache-2.0

package reassembly

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Info is a sample's metadata.
type Info struct {
	// Time is when it was written, by the writer's clock.
	Time wire.Time
	// Related is the request that the sample answers, or the reader to answer.
	Related wire.SampleIdentity
	// Vendor is the implementation that sent it.
	Vendor wire.VendorID
	// Status is the instance's state change.
	Status wire.StatusInfo
	// Kind is the kind of the payload.
	Kind wire.PayloadKind
	// Key is from the key hash; zero if there is none.
	Key wire.GUID
}

// Partial is a sample being assembled from fragments (DDSI-RTPS 8.4.14.1).
type Partial struct {
	SN             wire.SequenceNumber
	Info           Info
	Data           []byte   // as long as the sample; fragments are copied to their offsets
	have           []uint64 // one bit a fragment, the first in bit 0
	fragSize       uint16
	count          wire.FragmentNumber // fragments of the sample
	missing        wire.FragmentNumber // how many have not been received
	highest        wire.FragmentNumber // highest seen
	announced      wire.FragmentNumber // highest announced by a HEARTBEAT_FRAG
	Began, touched time.Time
	lent           uint64 // number of the datagram whose handler may still read Data
}

// has reports whether fragment f was received.
func (p *Partial) has(f wire.FragmentNumber) bool { return p.have[(f-1)/64]>>((f-1)%64)&1 != 0 }

// store copies the new fragments and returns how many were duplicates.
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

// Announce records that the writer has sent the fragments up to upTo, and reports whether all of those are known to be
// received.
func (p *Partial) Announce(upTo wire.FragmentNumber) (there bool) {
	p.announced = min(max(p.announced, upTo), p.count)
	return p.complete(p.announced)
}

// TakeAnnounced returns the highest fragment announced since the last call, or 0.
func (p *Partial) TakeAnnounced() wire.FragmentNumber {
	upTo := p.announced
	p.announced = 0
	return upTo
}

// Expected returns the highest fragment that should have been received: the last one, or the highest received if one
// arrived less than pause ago.
func (p *Partial) Expected(now time.Time, pause time.Duration) wire.FragmentNumber {
	if now.Sub(p.touched) < pause {
		return p.highest
	}
	return p.count
}

// complete reports whether all fragments up to upTo are known to be received, without checking each.
func (p *Partial) complete(upTo wire.FragmentNumber) bool {
	there := p.count - p.missing
	return there >= max(upTo, p.highest)
}

// MissingSet returns the missing fragments between from and to, as many as fit into one NACK_FRAG. It skips received
// ones 64 at a time, because a peer may choose a small fragment size.
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
