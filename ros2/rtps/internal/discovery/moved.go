// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// noteAddresses compares the addresses of this machine with those that were announced before, and returns the new ones
// if any of those is gone: the machine moved. An address that returns is not new, and neither is the loopback address,
// which is announced while there is no other.
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

// retractions is how often the participant is taken back after a move before it is announced anew, each time with
// burstPeriod to the next. A peer that got none of them, or that handles one, which comes by unicast as well, while it
// handles the new announcement, would keep the old addresses for good.
const retractions = 3

// retraction is what is still to be taken back.
type retraction struct {
	addresses []netip.Addr // of the interfaces to send it on: the new ones
	sn        wire.SequenceNumber
	left      int // times
}

// retract has peers forget the participant on the interfaces whose addresses are new, if this machine moved: Cyclone
// DDS keeps the locators of a participant that it knows, and Fast DDS those of its endpoints, as long as it hears of
// it. It reports whether the participant is not yet to be announced there.
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

// sendRetraction sends a disposal to the group and to each participant known.
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

// usable reports whether a peer at addr can use what is announced to it by interface number i, or -1. The loopback
// address, which is announced while there is no other, is of no use to another machine; and what was built for other
// interfaces than there are now may go out by the wrong one.
func (d *Directory) usable(i int, addr netip.Addr) bool {
	l := d.spdp.locators
	if !d.upToDate() {
		return false
	}
	if i >= 0 && i < len(l) {
		l = l[i : i+1]
	}
	return addr.IsLoopback() || slices.ContainsFunc(l, func(a netip.AddrPort) bool { return !a.Addr().IsLoopback() })
}

// upToDate reports whether the announcement was built for the present interfaces. While it was not, the network has yet
// to answer that they changed.
func (d *Directory) upToDate() bool {
	return slices.Equal(d.spdp.locators, d.socks.Locators(udp.Metatraffic))
}
