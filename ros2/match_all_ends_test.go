// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// matchAll creates a reader of /mix on a node of its own, with its transport.
func (m *mixed) matchAll(wrap func(ros2.Transport) ros2.Transport, onSample func(text string)) (*ros2.MatchAllReader, ros2.Transport) {
	m.Helper()
	tr := wrap(m.open())
	node := ros2.NodeName{Namespace: "/", Name: "tool"}
	if err := tr.AddNode(node); err != nil {
		m.Fatal(err)
	}
	r, err := ros2.NewMatchAllReader(tr, ros2.MatchAllConfig{
		EndpointConfig: ros2.EndpointConfig{Node: node, Topic: "/mix", Type: "std_msgs/msg/String"},
		OnSample:       func(s ros2.Sample, _ ros2.QoS) { onSample(strings.TrimRight(string(s.Payload[8:]), "\x00")) },
	})
	if err != nil {
		m.Fatal(err)
	}
	return r, tr
}

// onDDS runs a test on DDS over a virtual network, whose hosts are numbered from 1.
func onDDS(t *testing.T, test func(m *mixed, n *vnet.Net)) {
	synctest.Test(t, func(t *testing.T) {
		n, hosts := vnet.New(vnet.Config{}), byte(0)
		test(&mixed{t, func() ros2.Transport {
			hosts++
			tr, err := rmw.New(rmw.Config{Network: n.Host(hosts)})
			if err != nil {
				t.Fatal(err)
			}
			return tr
		}}, n)
	})
}

func unchanged(t ros2.Transport) ros2.Transport { return t }

// settled waits until discovery has ended.
func settled() {
	time.Sleep(2 * time.Second)
	synctest.Wait()
}

// requestedOn returns what the readers of /mix request, sorted.
func requestedOn(t ros2.Transport) (list []string) {
	for _, e := range ros2.EndpointsOn(t, "/mix") {
		if e.Kind == ros2.SubscriptionEndpoint {
			list = append(list, fmt.Sprint(e.QoS.Reliability, " ", e.QoS.Durability))
		}
	}
	slices.Sort(list)
	return list
}

// TestMatchAllReaderWithABlockedCallback: while OnSample does not return, and the messages of other publishers wait for
// it, the graph still changes, Update makes readers, both at once, and Close returns within two seconds with ErrStuck.
func TestMatchAllReaderWithABlockedCallback(t *testing.T) {
	onDDS(t, func(m *mixed, _ *vnet.Net) {
		first, second := m.talker("a", ros2.DefaultQoS()), m.talker("b", ros2.SensorDataQoS())
		release, calls := make(chan struct{}), atomic.Int32{}
		r, tr := m.matchAll(unchanged, func(string) {
			calls.Add(1)
			<-release
		})
		r.Watch(func(err error) { m.Error(err) })
		settled()
		first("blocks")
		second("waits")
		settled()
		m.talker("c", ros2.LatchedQoS())
		settled()
		began := time.Now()
		if n := len(tr.Graph().EndpointsOn("/mix")); n != 5 {
			m.Errorf("%d endpoints, want 3 publishers and 2 readers", n)
		}
		if err := r.Update(ros2.EndpointsOn(tr, "/mix")); err != nil {
			m.Error(err)
		}
		if got := requestedOn(tr); len(got) != 3 {
			m.Errorf("readers %q, want that of the publisher that appeared meanwhile, too", got)
		}
		if d := time.Since(began); d != 0 || calls.Load() != 1 {
			m.Errorf("Update and Graph took %v, %d calls", d, calls.Load())
		}
		began = time.Now()
		err := r.Close()
		if d := time.Since(began); !errors.Is(err, ros2.ErrStuck) || d > 2*time.Second {
			m.Errorf("Close: %v after %v", err, d)
		}
		if got := requestedOn(tr); len(got) != 0 {
			m.Errorf("after Close there are readers %q", got)
		}
		close(release)
		settled()
		if err := tr.Close(); err != nil {
			m.Error(err)
		}
	})
}

// TestMatchAllReaderWhosePublishersReturn: publishers that are lost for longer than their lease and return, with the
// same identity, are read again, and none of their messages twice but those that they keep for late readers, which any
// reader gets again that matches again; so is a publisher that was closed and made again.
func TestMatchAllReaderWhosePublishersReturn(t *testing.T) {
	onDDS(t, func(m *mixed, n *vnet.Net) {
		var got []string
		var mu sync.Mutex
		r, tr := m.matchAll(unchanged, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, text)
		})
		r.Watch(func(err error) { m.Error(err) })
		kept, volatile, best := m.talker("a", ros2.LatchedQoS().WithDepth(10)), m.talker("b", ros2.DefaultQoS()), m.talker("c", ros2.SensorDataQoS())
		settled()
		want := []string{}
		say := func(when string) {
			for name, f := range map[string]func(...string){"kept": kept, "volatile": volatile, "best": best} {
				f(name + " " + when)
				want = append(want, name+" "+when)
			}
			settled()
		}
		say("before")
		for round := range 2 {
			n.Cut(n.Host(1).Addr(), true)
			time.Sleep(time.Minute)
			if left := ros2.EndpointsOn(tr, "/mix"); slices.ContainsFunc(left, func(e ros2.EndpointInfo) bool { return e.Kind == ros2.PublisherEndpoint }) {
				m.Fatalf("the publishers have not left: %+v", left)
			}
			n.Cut(n.Host(1).Addr(), false)
			time.Sleep(20 * time.Second)
			say(fmt.Sprint("after outage ", round))
		}
		m.talker("d", ros2.LatchedQoS())("kept by a new one")
		want = append(want, "kept by a new one")
		settled()
		mu.Lock()
		slices.Sort(got)
		slices.Sort(want)
		got = slices.CompactFunc(got, func(a, b string) bool { return a == b && strings.HasPrefix(a, "kept") })
		if !slices.Equal(got, want) {
			m.Errorf("heard %q\nwant  %q", got, want)
		}
		mu.Unlock()
		if err := errors.Join(r.Close(), tr.Close()); err != nil {
			m.Error(err)
		}
	})
}

// TestAnonymousReaderNeverBecomesStronger: when the weaker publishers leave, the reader that matched all stays: another
// one would deliver kept messages twice.
func TestAnonymousReaderNeverBecomesStronger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := ros2test.NewNetwork()
		m := &mixed{t, func() ros2.Transport { return n.NewTransport() }}
		keep := m.talker("a", ros2.LatchedQoS().WithDepth(10))
		keep("kept")
		var got []string
		r, tr := m.matchAll(func(t ros2.Transport) ros2.Transport { return anonymous{t} }, func(text string) { got = append(got, text) })
		r.Watch(func(err error) { t.Error(err) })
		settled()
		check := func(when string, want string) {
			t.Helper()
			settled()
			if got := requestedOn(tr); !slices.Equal(got, []string{want}) {
				t.Errorf("%s the readers request %q, want %q", when, got, want)
			}
		}
		check("with one publisher", "reliable transient local")
		for i, weaker := range []ros2.QoS{ros2.DefaultQoS(), ros2.SensorDataQoS()} {
			tr := n.NewTransport()
			node := ros2.NodeName{Namespace: "/", Name: fmt.Sprint("weaker", i)}
			if err := tr.AddNode(node); err != nil {
				t.Fatal(err)
			}
			w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Node: node, Topic: "/mix", Type: "std_msgs/msg/String", QoS: weaker}})
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprint(weaker.Reliability, " ", weaker.Durability)
			check("with the weaker one", want)
			if err := errors.Join(w.Close(), tr.Close()); err != nil {
				t.Fatal(err)
			}
			check("after it has left", want)
			keep(fmt.Sprint(i))
		}
		settled()
		if want := []string{"kept", "0", "1"}; !slices.Equal(got, want) {
			t.Errorf("heard %q, want %q", got, want)
		}
		if err := errors.Join(r.Close(), tr.Close()); err != nil {
			t.Error(err)
		}
	})
}

// TestMatchAllReaderIsClosedConcurrently: each of several calls of Close returns when no callback runs any more, with
// the same error, while messages arrive and the graph changes.
func TestMatchAllReaderIsClosedConcurrently(t *testing.T) {
	onDDS(t, func(m *mixed, _ *vnet.Net) {
		say := []func(...string){m.talker("a", ros2.DefaultQoS()), m.talker("b", ros2.SensorDataQoS()), m.talker("c", ros2.LatchedQoS())}
		var running, closed atomic.Int32
		r, tr := m.matchAll(unchanged, func(string) {
			if running.Add(1); closed.Load() > 0 {
				m.Error("a callback runs after Close")
			}
			time.Sleep(300 * time.Millisecond)
			running.Add(-1)
		})
		r.Watch(func(err error) { m.Error(err) })
		settled()
		for i, f := range say {
			go f(fmt.Sprint(i), "more")
		}
		time.Sleep(100 * time.Millisecond)
		errs := make(chan error, 4)
		for range cap(errs) {
			go func() {
				err := r.Close()
				if closed.Add(1); running.Load() != 0 {
					m.Error("a callback runs when Close returns")
				}
				errs <- err
			}()
		}
		for range cap(errs) {
			if err := <-errs; err != nil {
				m.Error(err)
			}
		}
		if err := r.Close(); err != nil {
			m.Error(err)
		}
		settled()
		if err := tr.Close(); err != nil {
			m.Error(err)
		}
	})
}

// TestWatchAfterClose: it creates no reader and leaves no goroutine, and neither does Update.
func TestWatchAfterClose(t *testing.T) {
	onBothTransports(t, func(m *mixed) {
		r, tr := m.matchAll(unchanged, func(string) { m.Error("a callback runs after Close") })
		if err := r.Close(); err != nil {
			m.Error(err)
		}
		failed := func(err error) { m.Error(err) }
		r.Watch(failed)
		say := m.talker("a", ros2.LatchedQoS())
		settled()
		r.Watch(failed)
		say("after")
		if err := r.Update(ros2.EndpointsOn(tr, "/mix")); err != nil {
			m.Error(err)
		}
		settled()
		if got := requestedOn(tr); len(got) != 0 {
			m.Errorf("readers %q", got)
		}
		if err := errors.Join(r.Close(), tr.Close()); err != nil {
			m.Error(err)
		}
	})
}
