// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"encoding/binary"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestInfoReplyIsSkipped: whatever reply locators a message contains, even malformed ones, the submessages after them
// are handled, and the answer goes to the announced locators: two submessages cannot direct our retransmissions at a
// third machine.
func TestInfoReplyIsSkipped(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("10.0.0.77:7400")
	locator := wire.LocatorFrom(elsewhere)
	long := binary.LittleEndian.AppendUint32([]byte{0x0f, 1, 28, 0, 1, 0, 0, 0}, uint32(locator.Kind))
	long = append(binary.LittleEndian.AppendUint32(long, locator.Port), locator.Address[:]...)
	for name, reply := range map[string][]byte{
		"INFO_REPLY":                  long,
		"INFO_REPLY_IP4":              {0x0d, 1, 8, 0, 10, 0, 0, 77, 0xe8, 0x1c, 0, 0},
		"INFO_REPLY of many locators": {0x0f, 1, 4, 0, 0xff, 0xff, 0xff, 0x7f},
		"INFO_REPLY_IP4 cut short":    {0x0d, 1, 4, 0, 10, 0, 0, 77},
	} {
		t.Run(name, func(t *testing.T) {
			withScripted(t, wire.VendorCyclone, func(s *scripted) {
				var strayed atomic.Int32
				s.net.Watch(func(from, to netip.AddrPort, datagram []byte) {
					s.listen(from, to, datagram)
					if to.Addr() == elsewhere.Addr() {
						strayed.Add(1)
					}
				})
				w := writer(t, s.p, reliable, depth(5))
				r := s.endpoint(wire.KindReader, reliable)
				time.Sleep(time.Second)
				write(t, w, number(1, 20))
				time.Sleep(10 * time.Millisecond)
				s.heard(func(heard) bool { return false })
				set := wire.SequenceNumberSet{Base: 1}
				set.Add(1)
				b := wire.NewBuilder(wire.MaxMessageSize)
				b.Begin(s.prefix)
				b.AckNack(&wire.AckNack{Reader: r.Entity, Writer: w.GUID().Entity, State: set, Count: s.count(), Final: true})
				asks := append(append(b.Bytes()[:wire.HeaderSize:wire.HeaderSize], reply...), b.Bytes()[wire.HeaderSize:]...)
				s.net.Inject(s.at, netip.AddrPortFrom(s.net.Host(1).Addr(), udp.UnicastPort(5, 0, udp.UserTraffic)), asks)
				time.Sleep(10 * time.Millisecond)
				if got := s.heard(func(h heard) bool { return h.data != nil && h.data.SN == 1 }); len(got) != 1 || got[0].port != 7501 {
					t.Errorf("sent again: %+v", got)
				}
				if n := strayed.Load(); n != 0 {
					t.Errorf("%d datagrams to %v", n, elsewhere)
				}
			})
		})
	}
}
