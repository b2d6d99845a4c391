// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

func TestClientAddressCountsAnIPv6PrefixAsOne(t *testing.T) {
	for a, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8::", "2001:db8::ffff:2": "2001:db8::",
		"2001:db8:0:1::1": "2001:db8:0:1::", "fe80::1%eth0": "fe80::", "::1": "::",
	} {
		if got := clientAddress(netip.MustParseAddr(a)); got != netip.MustParseAddr(want) {
			t.Errorf("%s counts as %v, want %s", a, got, want)
		}
	}
}

// TestConnectionPoolIsFair checks for any sequence of events that the limits hold, that no authorised connection is
// displaced, and that one with a request survives while an address has idle or half-open ones, and more of them.
func TestConnectionPoolIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p connectionPool
		now := time.Unix(0, 0)
		addresses := rapid.IntRange(1, 5).Draw(t, "addresses")
		for range 300 {
			switch k := rapid.IntRange(0, 9).Draw(t, "event"); {
			case k < 7 || len(p.open) == 0:
				c := &patientConn{address: netip.AddrFrom4([4]byte{127, 0, 0, byte(rapid.IntRange(1, addresses).Draw(t, "address"))})}
				before := map[netip.Addr]int{}
				for _, o := range p.open {
					if o.usage != authorised {
						before[o.address]++
					}
				}
				victim, wait, ok := p.admit(c, now)
				if wait > 0 {
					now = now.Add(wait)
					victim, wait, ok = p.admit(c, now)
				}
				if wait > 0 || !ok && before[c.address] > 0 {
					t.Fatalf("not admitted: wait %v, ok %v", wait, ok)
				}
				if victim != nil && (victim.usage == authorised || before[victim.address] < before[c.address] || now.Sub(victim.since) < graceTime) {
					t.Fatalf("%+v made way for a connection of %v (%v)", victim, c.address, before)
				}
			case k == 7:
				p.remove(rapid.SampledFrom(p.open).Draw(t, "closed"))
			default:
				p.use(rapid.SampledFrom(p.open).Draw(t, "used"), usage(rapid.IntRange(0, 2).Draw(t, "usage")))
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 50).Draw(t, "ms")) * time.Millisecond)
			count := map[netip.Addr]int{}
			for _, c := range p.open {
				if count[c.address]++; count[c.address] > maxPerAddress {
					t.Fatalf("%d connections of %v", count[c.address], c.address)
				}
			}
			if p.size() > maxConnections {
				t.Fatalf("%d connections", p.size())
			}
		}
	})
}

// TestAuthorisedConnectionsAreNotDisplaced: where one address has nothing but those, its next connection is refused.
func TestAuthorisedConnectionsAreNotDisplaced(t *testing.T) {
	var p connectionPool
	now := time.Unix(0, 0)
	one, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for range maxPerAddress {
		c := &patientConn{address: one}
		if _, _, ok := p.admit(c, now); !ok {
			t.Fatal("refused")
		}
		p.use(c, authorised)
	}
	now = now.Add(time.Hour)
	if victim, wait, ok := p.admit(&patientConn{address: one}, now); ok {
		t.Errorf("admitted: %v, %v", victim, wait)
	}
	if victim, _, ok := p.admit(&patientConn{address: other}, now); !ok || victim != nil {
		t.Error("another address is refused")
	}
}

// attack holds n connections from an address half-open. With again, a connection that the server closes is opened anew.
func attack(ctx context.Context, to, from, request string, n int, again bool) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var opened, ended sync.WaitGroup
	for range n {
		opened.Add(1)
		ended.Go(func() {
			first := sync.OnceFunc(opened.Done)
			defer first()
			for more := true; more && ctx.Err() == nil; more = again {
				halfOpen(ctx, to, from, request, first)
			}
		})
	}
	opened.Wait()
	return func() {
		cancel()
		ended.Wait()
	}
}

// halfOpen opens a connection, calls opened, and waits until the server closes it or ctx ends.
func halfOpen(ctx context.Context, to, from, request string, opened func()) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.DialContext(ctx, "tcp", to)
	if err != nil {
		return
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	_, _ = io.WriteString(c, request) // the server may have closed it
	opened()
	_, _ = io.Copy(io.Discard, c)
	_ = c.Close()
}

// TestHalfOpenClientsDoNotDisplaceOthers: while 80 or 500 clients hold connections half-open, silent or in the middle
// of a request, every request of others succeeds, with and without a token; so does a viewer that was there before.
// Clients that connect again and again have another address than the others.
func TestHalfOpenClientsDoNotDisplaceOthers(t *testing.T) {
	const slowHead = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
	for _, c := range []struct {
		name, attacker, request string
		clients                 int
		again                   bool
	}{
		{"80 silent, another address", "127.0.0.2", "", 80, true},
		{"500 in the middle of a request, another address", "127.0.0.2", slowHead, 500, true},
		{"80 with a wrong token, another address", "127.0.0.2", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\r\n", 80, true},
		{"80 silent, the same address", "127.0.0.1", "", 80, false},
		{"500 in the middle of a request, the same address", "127.0.0.1", slowHead, 500, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			honest := 97
			if testing.Short() && c.clients > 80 {
				honest = 20
			}
			r := newRig(t, true, func(cfg *Config) { cfg.Address = "127.0.0.1:0" })
			before := r.join(r.token(guard.View))
			defer attack(t.Context(), r.base, c.attacker, c.request, c.clients, c.again)()
			for i := range honest {
				if err := r.honest(i); err != nil {
					t.Fatalf("request %d of %d: %v", i, honest, err)
				}
			}
			before.settled()
			if n := r.server.limited.pool.size(); n > maxConnections {
				t.Errorf("%d connections are open", n)
			}
		})
	}
}

// honest makes one request on a connection of its own: for the page, the metrics or a viewer's WebSocket.
func (r *rig) honest(i int) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if i%3 == 2 {
		conn, _, err := websocket.Dial(r.Context(), "ws://"+r.base+"/ws", &websocket.DialOptions{ //nolint:bodyclose // says websocket.Dial
			HTTPClient: client, Subprotocols: []string{foxglove.PageProtocol, guard.TokenProtocol + r.token(guard.View)},
		})
		if err != nil {
			return err
		}
		_, _, err = conn.Read(r.Context())
		return errors.Join(err, conn.CloseNow())
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://"+r.base+[]string{"/", "/metrics"}[i%3], nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+r.token(guard.View))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || len(body) == 0) {
		err = fmt.Errorf("%s, %d bytes", response.Status, len(body))
	}
	return errors.Join(err, response.Body.Close())
}
