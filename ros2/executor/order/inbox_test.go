// SPDX-License-Identifier: Apache-2.0

package order

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// An inbox returns each message once, the oldest of equal ones first, and reports what it holds.
func TestInboxProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b inbox
		b.arrived.L = &b.mu
		type item struct {
			endpoint int
			sum      wire.Sum
			id       int64
		}
		var model []item
		for range 3 {
			b.add(wire.Endpoint{Role: wire.Subscription, Name: "/x"})
		}
		var opened int64
		for id := range int64(rapid.IntRange(0, 60).Draw(t, "steps")) {
			it := item{rapid.IntRange(1, 3).Draw(t, "endpoint"), wire.Sum(rapid.IntRange(0, 2).Draw(t, "sum")), id + 1}
			switch rapid.SampledFrom([]string{"hold", "hold", "await", "remove"}).Draw(t, "what") {
			case "hold":
				b.hold(heldMessage{endpoint: it.endpoint, sum: it.sum, open: func([]byte, int64) { opened = it.id }})
				model = append(model, it)
			case "await":
				i := slices.IndexFunc(model, func(m item) bool { return m.endpoint == it.endpoint && m.sum == it.sum })
				if i < 0 {
					continue // it would wait
				}
				l, ok, err := b.await(wire.Delivery{Endpoint: it.endpoint, Sum: it.sum})
				if !ok || err != nil {
					t.Fatalf("%+v is not there: %v", it, err)
				}
				if l.open(nil, 0); opened != model[i].id {
					t.Fatalf("got message %d, want %d", opened, model[i].id)
				}
				model = slices.Delete(model, i, i+1)
			case "remove":
				if rapid.IntRange(0, 9).Draw(t, "often") > 0 {
					continue
				}
				b.remove(it.endpoint)
				model = slices.DeleteFunc(model, func(m item) bool { return m.endpoint == it.endpoint })
				if _, ok, err := b.await(wire.Delivery{Endpoint: it.endpoint}); ok || err != nil {
					t.Fatalf("a removed endpoint has %v, %v", ok, err)
				}
			}
			held := 0
			for _, a := range b.waiting() {
				n := 0
				for _, m := range model {
					if m.endpoint == a.Endpoint && m.sum == a.Sum {
						n++
					}
				}
				if n != a.Count {
					t.Fatalf("%+v, want %d", a, n)
				}
				held += n
			}
			if held != len(model) {
				t.Fatalf("%d are held, want %d", held, len(model))
			}
		}
	})
}

// Changed endpoints are listed, and have names.
func TestInboxEndpoints(t *testing.T) {
	var b inbox
	b.arrived.L = &b.mu
	news := 0
	b.notify = func() { news++ }
	id := b.add(wire.Endpoint{Role: wire.Publisher, Name: "/scan"})
	b.match(id, 2)
	b.match(0, 7)
	if all := b.list(false); len(all) != 1 || all[0].Matched != 2 || news != 3 {
		t.Errorf("%+v, %d news", all, news)
	}
	if got := b.list(true); len(got) != 1 {
		t.Errorf("%+v is news", got)
	}
	if got := b.list(true); got != nil {
		t.Errorf("%+v is news", got)
	}
	if got := b.nameOf(id); got != "publisher /scan" {
		t.Error(got)
	}
	b.remove(id)
	if got := b.nameOf(id); got != "a closed endpoint" {
		t.Error(got)
	}
	b.wake()
	if _, _, err := b.await(wire.Delivery{Endpoint: 1}); err != ErrClosed {
		t.Errorf("after the end: %v", err)
	}
}

// Matching is as in ROS: by name, type and policies.
func TestMatching(t *testing.T) {
	const typ = "std_msgs/msg/String"
	pub := wire.Endpoint{Role: wire.Publisher, Name: "/x", Type: typ}
	sub := wire.Endpoint{Role: wire.Subscription, Name: "/x", Type: typ}
	change := func(e wire.Endpoint, f func(*wire.Endpoint)) *wire.Endpoint { f(&e); return &e }
	same := func(*wire.Endpoint) {}
	reliable, kept := func(e *wire.Endpoint) { e.Reliable = true }, func(e *wire.Endpoint) { e.Kept = true }
	for _, c := range []struct {
		from, to *wire.Endpoint
		want     bool
	}{
		{&pub, &sub, true}, {&sub, &pub, false}, {&pub, &pub, false},
		{change(pub, reliable), change(sub, same), true}, {change(pub, same), change(sub, reliable), false},
		{change(pub, reliable), change(sub, reliable), true},
		{change(pub, kept), change(sub, same), true}, {change(pub, same), change(sub, kept), false},
		{&pub, change(sub, func(e *wire.Endpoint) { e.Name = "/y" }), false},
		{&pub, change(sub, func(e *wire.Endpoint) { e.Type = "std_msgs/msg/Int32" }), false},
		{change(pub, func(e *wire.Endpoint) { e.Role = wire.Client }), change(sub, func(e *wire.Endpoint) { e.Role = wire.Service }), true},
		{change(pub, func(e *wire.Endpoint) { e.Role = wire.Client }), &sub, false},
		{&pub, change(sub, func(e *wire.Endpoint) { e.Role = wire.Service }), false},
	} {
		if got := reaches(c.from, c.to); got != c.want {
			t.Errorf("%+v to %+v: %v", *c.from, *c.to, got)
		}
	}
}

// Lines of the record are transmitted unchanged.
func TestRunsAreTransmittedUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRun(t)
		got := wireRuns([]Run{r})
		if back := runOf(&got[0], r.Process); !back.same(&r) || back.String() != r.String() {
			t.Fatalf("%v came as %v", r, back)
		}
		if back := tagOf(wireTag(r.Tag)); back != r.Tag {
			t.Fatalf("%v came as %v", r.Tag, back)
		}
	})
}
