// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestForgedAnnouncementDrawsLittle: an announcement with another host's address as its locator makes the participant
// send less than 3 kB there in 3 s, however many endpoints it has and creates afterwards, and whatever implementation
// the forged announcement claims. The participant announces itself and asks whether it is heard, by HEARTBEATs and
// ACKNACKs of its discovery endpoints, but announces no endpoint, which a participant requests that is heard.
func TestForgedAnnouncementDrawsLittle(t *testing.T) {
	const most = 3000
	third := netip.MustParseAddrPort("10.0.0.77:7410")
	for _, vendor := range []wire.VendorID{wire.VendorOwn, wire.VendorCyclone, wire.VendorEProsima, wire.VendorRTI, wire.VendorUnknown} {
		for _, later := range []int{0, 1, 40} {
			t.Run(fmt.Sprintf("%s, %d endpoints created later", vendor.Name(), later), func(t *testing.T) {
				underAttack(t, func(a *attacker) {
					got := drawn{submessages: map[string]int{}}
					a.net.Watch(func(_, to netip.AddrPort, datagram []byte) {
						if to.Addr() == third.Addr() {
							a.mu.Lock()
							defer a.mu.Unlock()
							got.add(datagram)
						}
					})
					a.createEndpoints(20)
					prefix := randomPrefix()
					prefix[0], prefix[1] = byte(vendor>>8), byte(vendor)
					a.announce(a.own, prefix, func(d *wire.ParticipantData) { d.Vendor = vendor }, third.String())
					time.Sleep(500 * time.Millisecond)
					a.createEndpoints(later)
					time.Sleep(2500 * time.Millisecond)
					a.mu.Lock()
					defer a.mu.Unlock()
					if got.bytes >= most || got.submessages["announcement"] == 0 || got.submessages["other"] != 0 {
						t.Errorf("%d bytes, submessages %v; want announcements and less than %d bytes", got.bytes, got.submessages, most)
					}
				})
			})
		}
	}
}

// drawn is what a third host received: bytes, and submessages by what they are.
type drawn struct {
	bytes       int
	submessages map[string]int
}

func (d *drawn) add(datagram []byte) {
	d.bytes += len(datagram)
	for s := wire.NewScanner(datagram); s.Next(); {
		sub := s.Submessage()
		switch {
		case sub.ID == 0x09 || sub.ID == 0x0e: // INFO_TS, INFO_DST
		case sub.ID == 0x06 || sub.ID == 0x07:
			d.submessages["ACKNACK and HEARTBEAT"]++
		case sub.ID == 0x15 && len(sub.Body) >= 12 && wire.EntityID(binary.BigEndian.Uint32(sub.Body[8:])) == wire.EntitySPDPWriter:
			d.submessages["announcement"]++
		default:
			d.submessages["other"]++
		}
	}
}

// createEndpoints creates n writers and as many readers of the victim.
func (a *attacker) createEndpoints(n int) {
	a.t.Helper()
	for i := range n {
		name := fmt.Sprint("rt/later", i)
		if _, err := a.victim.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(reliable, transientLocal)}); err != nil {
			a.t.Fatal(err)
		}
		if _, err := a.victim.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: qos(reliable)}); err != nil {
			a.t.Fatal(err)
		}
	}
}
