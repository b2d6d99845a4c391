// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// noteAddresses compares this machine's addresses with those announced before. It returns the new ones if an announced
// one is gone: the machine moved. An address that was announced earlier is not new, nor is the loopback address, which
// is announced while there is no other.
func (s *announcer) noteAddresses(locators []netip.AddrPort) (moved []netip.Addr) {
	var present []netip.Addr
	for _, l := range locators {
		if !l.Addr().IsLoopback() {
			present = append(present, l.Addr())
		}
	}
	isGone := func(a netip.Addr) bool { return !slices.Contains(present, a) }
	added := slices.DeleteFunc(slices.Clone(present), func(a netip.Addr) bool { return slices.Contains(s.addresses, a) })
	switch {
	case len(added) == 0:
		return nil
	case slices.ContainsFunc(s.addresses, isGone):
		moved = added
		s.addresses = slices.DeleteFunc(s.addresses, isGone)
	}
	s.addresses = append(s.addresses, added...)
	return moved
}

// retractions is the number of disposals of the participant after a move, burstPeriod apart, before it is announced
// again. A peer that receives none of them, or handles one concurrently with the new announcement, would keep the old
// addresses.
const retractions = 3

// retraction is the state of the disposals after a move.
type retraction struct {
	addresses []netip.Addr // of the interfaces to send on: the new ones
	sn        wire.SequenceNumber
	left      int // disposals still to be sent
}

// retract disposes of the participant on the interfaces with new addresses, if this machine moved: Cyclone DDS keeps
// the locators of a known participant, and Fast DDS those of its endpoints, while it receives announcements. It reports
// whether disposals are pending, so that the participant must not be announced there yet.
func (d *Directory) retract(now time.Time) (busy bool) {
	s := &d.spdp
	if moved := s.noteAddresses(d.socks.Locators(udp.Metatraffic)); len(moved) > 0 {
		s.sn++
		s.retracted = retraction{moved, s.sn, retractions}
	}
	if s.retracted.left == 0 {
		return false
	}
	s.retracted.left--
	d.sendRetraction(now)
	return true
}

// sendRetraction sends a disposal to the group and to each known participant.
func (d *Directory) sendRetraction(now time.Time) {
	s := &d.spdp
	m := wire.NewDispose(wire.EntitySPDPWriter, s.retracted.sn, d.cfg.GUID)
	m.Reader = wire.EntitySPDPReader
	s.leaving = &m
	defer func() { s.leaving = nil }()
	isNew := func(i int) bool {
		l := d.socks.Locators(udp.Metatraffic)
		return i >= 0 && i < len(l) && slices.Contains(s.retracted.addresses, l[i].Addr())
	}
	for i := range d.socks.Locators(udp.Metatraffic) {
		if isNew(i) && !d.cfg.NoMulticast {
			d.tx.Multicast(d.spdpMessage(i, wire.GUIDPrefix{}, now), i)
		}
	}
	for prefix, r := range d.remotes {
		if to := r.meta.To; isNew(d.socks.Interface(to.Addr())) {
			d.tx.Send(d.spdpMessage(-1, prefix, now), to, udp.Metatraffic)
		}
	}
}

// usable reports whether a peer at addr can use the announcement for interface number i, or -1. The loopback address,
// announced while there is no other, is useless to another machine, which localhost mode has no peer on; and an
// announcement built for earlier interfaces may be sent on the wrong one.
func (d *Directory) usable(i int, addr netip.Addr) bool {
	l := d.spdp.locators
	if !d.upToDate() {
		return false
	}
	if i >= 0 && i < len(l) {
		l = l[i : i+1]
	}
	return addr.IsLoopback() || d.cfg.LocalhostOnly || slices.ContainsFunc(l, func(a netip.AddrPort) bool { return !a.Addr().IsLoopback() })
}

// upToDate reports whether the announcement was built for the current interfaces. It is not while a refresh that finds
// a change is running.
func (d *Directory) upToDate() bool {
	return slices.Equal(d.spdp.locators, d.socks.Locators(udp.Metatraffic))
}
