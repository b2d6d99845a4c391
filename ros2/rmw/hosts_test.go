// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// names is a resolver with configurable answers.
type names struct {
	mu    sync.Mutex
	table map[string][]netip.Addr
	asked int
}

func (n *names) set(host string, addrs ...netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.table[host] = addrs
}

func (n *names) resolve(_ context.Context, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	addrs, ok := n.table[host]
	if !ok {
		return nil, errors.New("no such host")
	}
	return addrs, nil
}

// A peer on a network without multicast is discovered by its name, although the name becomes resolvable late, and again
// after it has moved to another address.
func TestStaticHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		var log bytes.Buffer
		var mu sync.Mutex
		book := &names{table: map[string][]netip.Addr{}}
		tr, err := New(Config{Network: net.Host(1), NoMulticast: true, StaticHosts: []string{"laptop", "unknown"}, Resolve: book.resolve,
			Logger: slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		node := newNode(t, tr, "robot", nil)
		sees := func() int {
			time.Sleep(2 * lookupRefresh)
			synctest.Wait()
			return len(node.Graph().Nodes)
		}
		join := func(host byte, name string) *Transport {
			other, err := New(Config{Network: net.Host(host), NoMulticast: true})
			if err != nil {
				t.Fatal(err)
			}
			newNode(t, other, name, nil)
			return other
		}
		first := join(2, "first")
		if n := sees(); n != 1 {
			t.Errorf("%d nodes before the name is known", n)
		}
		book.set("laptop", netip.MustParseAddr("::1"), netip.MustParseAddr("0.0.0.0"), net.Host(2).Addr())
		if n := sees(); n != 2 {
			t.Errorf("%d nodes, want 2", n)
		}
		first.Close()
		second := join(3, "second")
		defer second.Close()
		book.set("laptop", net.Host(3).Addr())
		if n := sees(); n != 2 || node.Graph().Nodes[1] != (ros2.NodeName{Namespace: "/robot", Name: "second"}) {
			t.Errorf("after the move: %+v", node.Graph().Nodes)
		}
		mu.Lock()
		defer mu.Unlock()
		for line, want := range map[string]int{"host=laptop error": 1, "host=unknown error": 1, "static peer found": 2} {
			if got := strings.Count(log.String(), line); got != want {
				t.Errorf("%q logged %d times, want %d:\n%s", line, got, want, log.String())
			}
		}
	})
}

// Resolved addresses are kept while the name server does not answer; Close does not wait for it.
func TestStaticHostsKeepTheirAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := netip.MustParseAddr("192.0.2.7")
		var silent atomic.Bool
		var calls [][]netip.Addr
		h := newHosts(Config{StaticHosts: []string{"laptop"}, Resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) {
			if silent.Load() {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return []netip.Addr{a, a.Next()}, nil
		}}, []netip.Addr{a.Prev()}, slog.New(slog.DiscardHandler), func(p []netip.Addr) { calls = append(calls, p) })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			h.resolveAll(ctx)
			close(done)
		}()
		synctest.Wait()
		silent.Store(true)
		time.Sleep(10*lookupRefresh + lookupTimeout/2)
		cancel()
		<-done
		if len(calls) != 1 || len(calls[0]) != 3 || calls[0][0] != a.Prev() {
			t.Errorf("called with %v", calls)
		}
	})
}

func TestIsHostName(t *testing.T) {
	for s, want := range map[string]bool{
		"robot": true, "robot-1.local": true, "a.b.c.": true, "my_robot": true, "7robots": true, strings.Repeat("a", 63): true,
		"": false, ".": false, "a..b": false, "-a": false, "a-": false, "192.0.2": false, "192.0.2.1": false, "1": false, "::1": false,
		"robot:1": false, "röbot": false, "a b": false, strings.Repeat("a", 64): false, strings.Repeat("a.", 127) + "b": false,
	} {
		if got := isHostName(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
	if _, err := (Config{StaticHosts: []string{"a b"}}).participant(); !errors.Is(err, ErrConfig) {
		t.Errorf("a bad name: %v", err)
	}
}
