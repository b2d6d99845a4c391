// SPDX-License-Identifier: Apache-2.0

package order

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// newTestLeader creates a leader with two members on a separate network.
func newTestLeader(t interface{ Fatal(args ...any) }) (l *Leader, end func()) {
	tr := ros2test.NewTransport()
	c := New(Config{})
	l, err := Lead(c, LeaderConfig{Transport: tr, Members: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	return l, func() {
		l.mu.Lock()
		for _, p := range l.members {
			p.gone = true // no member would confirm the end
		}
		l.mu.Unlock()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		c.Close()
		tr.Close()
	}
}

// For any message on the members' topic, the leader does not fail and sends at most one message.
func FuzzLeader(f *testing.F) {
	for _, m := range []*wire.Message{
		{Kind: wire.Hello, Member: "a", Session: "s"}, {Kind: wire.Alive, Member: "a", Session: "s", Leader: "l"},
		{Kind: wire.Done, Member: "a", Session: "s", Leader: "l", Number: 1}, {Kind: wire.Leave, Member: "a", Session: "s", Leader: "l"},
		{Kind: wire.Hello, Member: "x", Session: "s"}, {Kind: wire.End, Leader: "l"},
	} {
		f.Add(wire.Encode(m), wire.Encode(&wire.Message{Kind: wire.Hello, Member: "a", Session: "t"}))
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		l, end := newTestLeader(t)
		defer end()
		for _, text := range []string{first, second, first} {
			l.receive(text)
		}
		for _, line := range l.Waits() {
			if line == "" {
				t.Error("it waits for nothing")
			}
		}
		if l.number != 0 || len(l.mail) > 0 {
			t.Errorf("%d deliveries without a run", l.number)
		}
	})
}

// A leader accepts messages of the right session only, and counts each answer once, in whatever order they arrive.
func TestLeaderAcceptsOnlyCurrentSession(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, end := newTestLeader(t)
		defer end()
		l.receive(wire.Encode(&wire.Message{Kind: wire.Hello, Member: "a", Session: "s"}))
		p := l.members[0]
		if p.session != "s" || p.number != 0 {
			t.Fatalf("the member is %+v", p)
		}
		for want := range int64(rapid.IntRange(0, 5).Draw(t, "grants")) {
			l.grant(0, &step{at: Tag{Time: time.Duration(want)}, deliveries: make([][]wire.Delivery, 3), posts: make([][]wire.Post, 3)})
			for range rapid.IntRange(0, 4).Draw(t, "strays") {
				m := &wire.Message{
					Kind:   rapid.SampledFrom([]wire.Kind{wire.Done, wire.Alive, wire.Leave, wire.Hello}).Draw(t, "kind"),
					Member: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "member"), Session: "other", Leader: l.session,
					Number: rapid.Int64Range(1, want+2).Draw(t, "number"),
				}
				if m.Kind == wire.Hello && m.Member != "c" {
					m.Member = "a" // while the first is alive
				}
				l.receive(wire.Encode(m))
			}
			if p.doing == nil || p.number != want+1 || !p.present() {
				t.Fatalf("a stray message changed %+v", p)
			}
			done := wire.Encode(&wire.Message{Kind: wire.Done, Member: "a", Session: "s", Leader: l.session, Number: want + 1})
			for range rapid.IntRange(1, 3).Draw(t, "times") {
				l.receive(done)
			}
			if p.doing != nil || p.ran != want+1 {
				t.Fatalf("the answer did not count: %+v", p)
			}
		}
	})
}
