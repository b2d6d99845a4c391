// SPDX-License-Identifier: Apache-2.0

//go:build system

package udp

import (
	"bytes"
	"net/netip"
	"testing"
	"time"
)

// hopeless bounds a wait for what happens at once.
const hopeless = time.Minute

// arrival is a received datagram.
type arrival struct {
	data []byte
	from netip.AddrPort
	kind Traffic
}

// listenLocally returns the sockets of a participant in localhost mode and what they receive, until the test ends.
func listenLocally(t *testing.T, domain uint32) (Sockets, <-chan arrival) {
	t.Helper()
	s, err := System{}.Listen(Config{DomainID: domain, LocalhostOnly: true, ReceiveBuffer: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan arrival, 100)
	s.Serve(func(data []byte, from netip.AddrPort, kind Traffic) {
		received <- arrival{bytes.Clone(data), from, kind}
	}, func(err error) { t.Errorf("lost: %v", err) })
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, received
}

// next returns the next datagram.
func next(t *testing.T, received <-chan arrival) arrival {
	t.Helper()
	select {
	case a := <-received:
		return a
	case <-time.After(hopeless):
		t.Fatal("nothing arrives")
		return arrival{}
	}
}

// TestSocketsOfThisSystem sends between two participants: every kind of traffic, from the port that is announced, one
// by one and many at once, the smallest and the largest datagrams. They have different ids, and so different ports.
func TestSocketsOfThisSystem(t *testing.T) {
	a, _ := listenLocally(t, 227)
	b, received := listenLocally(t, 227)
	if a.ParticipantID() == b.ParticipantID() {
		t.Fatalf("both participants have the id %d", a.ParticipantID())
	}
	large := bytes.Repeat([]byte("0123456789abcdef"), 4000)
	for _, kind := range []Traffic{Metatraffic, UserTraffic} {
		to := b.Locators(kind)[0]
		for _, data := range [][]byte{[]byte("one"), large} {
			if err := a.Send(data, to, kind); err != nil {
				t.Fatal(err)
			}
			got := next(t, received)
			if got.kind != kind || got.from != a.Locators(kind)[0] || !bytes.Equal(got.data, data) {
				t.Errorf("%v: %d bytes of %v from %v, want %d from %v", kind, len(got.data), got.kind, got.from, len(data), a.Locators(kind)[0])
			}
		}
		batch := []Datagram{{[]byte("two"), to}, {[]byte("three"), to}, {[]byte("four"), to}}
		if n, err := a.(BatchSender).SendBatch(batch, kind); n != len(batch) || err != nil {
			t.Fatalf("%d sent, %v", n, err)
		}
		for _, d := range batch {
			if got := next(t, received); !bytes.Equal(got.data, d.Data) {
				t.Errorf("%q, want %q", got.data, d.Data)
			}
		}
	}
}

// TestRefusedDatagramsDisturbNothing: where no program listens the system refuses datagrams, which a socket may report
// with the next one that it sends or receives. It continues.
func TestRefusedDatagramsDisturbNothing(t *testing.T) {
	a, received := listenLocally(t, 228)
	b, _ := listenLocally(t, 228)
	closed := netip.AddrPortFrom(loopback(0), UnicastPort(228, maxParticipants(228)-1, UserTraffic))
	for range 20 {
		_ = a.Send([]byte("lost"), closed, UserTraffic)
	}
	if err := b.Send([]byte("kept"), a.Locators(UserTraffic)[0], UserTraffic); err != nil {
		t.Fatal(err)
	}
	if got := next(t, received); string(got.data) != "kept" {
		t.Errorf("received %q", got.data)
	}
}
