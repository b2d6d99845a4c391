// SPDX-License-Identifier: Apache-2.0

package core

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// endpoint is a topic or a service of a node for tests.
func endpoint(topic string, depth int) ros2.EndpointConfig {
	return ros2.EndpointConfig{
		Node: ros2.NodeName{Namespace: "/", Name: "n"}, Topic: topic, Type: "std_msgs/msg/String", QoS: ros2.DefaultQoS().WithDepth(depth),
	}
}

// wired is a core's transport and another one on the same network.
func wired(t *testing.T, b *bench) (own, other ros2.Transport) {
	t.Helper()
	network := ros2test.NewNetwork()
	inner, other := network.NewTransport(), network.NewTransport()
	own = b.On(inner)
	for _, tr := range []ros2.Transport{own, other} {
		if err := tr.AddNode(ros2.NodeName{Namespace: "/", Name: "n"}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _, _ = inner.Close(), other.Close() })
	return own, other
}

// TestWritesAreCharged: what has a subscriber costs, by itself or in a cycle, and what has none does not.
func TestWritesAreCharged(t *testing.T) {
	_, p := shipped(t)
	b := newBench(t, p, armcost.Load{Radio: true})
	own, other := wired(t, b)
	matched := 0
	cfg := ros2.WriterConfig{EndpointConfig: endpoint("/odom", 10)}
	cfg.OnMatch = func(n int) { matched = n }
	w, err := own.NewWriter(cfg)
	if err != nil {
		t.Fatal(err)
	}
	write := func() (cycles float64) {
		before := b.spent.Likely
		if err := w.Write([]byte{0, 1, 0, 0, 'a', 'b', 'c', 'd'}); err != nil {
			t.Fatal(err)
		}
		return b.spent.Likely - before
	}
	if got := write(); got != 0 || b.sent != 0 {
		t.Errorf("without a subscriber: %g cycles, %g bytes", got, b.sent)
	}
	heard := 0
	if _, err := other.NewReader(ros2.ReaderConfig{EndpointConfig: endpoint("/odom", 10), OnSample: func(ros2.Sample) { heard++ }}); err != nil {
		t.Fatal(err)
	}
	if got := write(); got != p.aloneOther.Likely || b.sent != 8+headers || matched != 1 || heard != 1 {
		t.Errorf("%g cycles, want %g; %g bytes, %d matched, %d heard", got, p.aloneOther.Likely, b.sent, matched, heard)
	}
	var first, second float64
	b.at = b.at.Add(time.Second)
	if err := b.Run(time.Minute, func() error { first, second = write(), write(); return nil }); err != nil {
		t.Fatal(err)
	}
	if math.Abs(first-p.within["odom"].Likely-p.batch.Likely) > 1 || math.Abs(second-p.within["odom"].Likely) > 1 {
		t.Errorf("in a cycle %g and %g cycles", first, second)
	}
}

// TestSamplesWait: what comes is heard in Run, whole, even if the transport uses its bytes again; of a closed
// subscription nothing.
func TestSamplesWait(t *testing.T) {
	b := newBench(t, constant(0.001), armcost.Load{})
	own, other := wired(t, b)
	var heard []string
	r, err := own.NewReader(ros2.ReaderConfig{EndpointConfig: endpoint("/t", 2), OnSample: func(s ros2.Sample) { heard = append(heard, string(s.Payload)) }})
	if err != nil {
		t.Fatal(err)
	}
	w, err := other.NewWriter(ros2.WriterConfig{EndpointConfig: endpoint("/t", 2)})
	if err != nil {
		t.Fatal(err)
	}
	write := func(texts ...string) {
		payload := make([]byte, 2)
		for _, text := range texts {
			copy(payload, text)
			if err := w.Write(payload); err != nil {
				t.Fatal(err)
			}
		}
		copy(payload, "..")
	}
	write("11", "22", "33")
	if len(heard) != 0 {
		t.Errorf("heard at once: %v", heard)
	}
	b.pass(t, 100*time.Millisecond, nil)
	if len(heard) != 2 || heard[0] != "22" || heard[1] != "33" {
		t.Errorf("heard %v", heard)
	}
	write("44")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b.pass(t, 100*time.Millisecond, nil)
	if len(heard) != 2 {
		t.Errorf("after its end: %v", heard)
	}
}

// TestRequestsWait: a service answers in Run; a client asks at once.
func TestRequestsWait(t *testing.T) {
	b := newBench(t, constant(0.001), armcost.Load{})
	own, other := wired(t, b)
	service := ros2.ServiceConfig{Node: ros2.NodeName{Namespace: "/", Name: "n"}, Name: "/s", Type: "std_srvs/srv/Trigger", QoS: ros2.DefaultQoS()}
	s, err := own.(ros2.ServiceTransport).NewServer(ros2.ServerConfig{ServiceConfig: service, OnRequest: func(q ros2.Request) {
		if err := q.Respond(append([]byte("re "), q.Payload...)); err != nil {
			t.Error(err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var reply string
	c, err := other.(ros2.ServiceTransport).NewRequester(ros2.ClientConfig{ServiceConfig: service, OnReply: func(_ int64, r ros2.Sample) { reply = string(r.Payload) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(1, []byte("ask")); err != nil {
		t.Fatal(err)
	}
	if reply != "" {
		t.Errorf("at once: %q", reply)
	}
	b.pass(t, 100*time.Millisecond, nil)
	if reply != "re ask" || b.Report().Callbacks != 1 {
		t.Errorf("%q, %d callbacks", reply, b.Report().Callbacks)
	}
	if err := c.Send(2, []byte("again")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b.pass(t, 100*time.Millisecond, nil)
	if reply != "re ask" {
		t.Errorf("after its end: %q", reply)
	}
	if _, err := own.(ros2.ServiceTransport).NewRequester(ros2.ClientConfig{ServiceConfig: service}); err != nil {
		t.Error(err)
	}
}

// TestWhatTheTransportIs: to a node it looks as what is below it.
func TestWhatTheTransportIs(t *testing.T) {
	b := newBench(t, constant(0), armcost.Load{})
	own, _ := wired(t, b)
	if d, ok := own.(ros2.DescribedTransport); !ok || d.Description() == "" {
		t.Error("no description")
	}
	if _, err := own.NewWriter(ros2.WriterConfig{EndpointConfig: endpoint("/x", 1)}); err != nil {
		t.Fatal(err)
	}
	if all := ros2.EndpointsOn(own, "/x"); len(all) != 1 {
		t.Errorf("endpoints %+v", all)
	}
}
