// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestEndpointsHaveTheirIdentity: every endpoint's GID is unique and in the graph.
func TestEndpointsHaveTheirIdentity(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	want := map[ros2.GID]ros2.EndpointKind{}
	for range 3 {
		w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")})
		if err != nil {
			t.Fatal(err)
		}
		r, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(ros2.Sample) {}})
		if err != nil {
			t.Fatal(err)
		}
		want[w.GID()], want[r.GID()] = ros2.PublisherEndpoint, ros2.SubscriptionEndpoint
	}
	if len(want) != 6 {
		t.Fatalf("6 endpoints have %d identities", len(want))
	}
	for _, e := range tr.Graph().EndpointsOn("/x") {
		if kind, known := want[e.GID]; !known || kind != e.Kind || e.Node != name {
			t.Errorf("in the graph: %+v", e)
		}
		delete(want, e.GID)
	}
	if len(want) != 0 {
		t.Errorf("not in the graph: %v", want)
	}
}

// TestGraphHasQoS: the graph has the quality of service of endpoints, for every profile.
func TestGraphHasQoS(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	for i, q := range []ros2.QoS{
		ros2.DefaultQoS(), ros2.SensorDataQoS(), ros2.LatchedQoS(), ros2.TFStaticQoS(), ros2.RosoutQoS(),
		{Deadline: time.Second, LivelinessLease: 3 * time.Second, Liveliness: ros2.LivelinessManualByTopic},
		{Deadline: 1500 * time.Millisecond},
	} {
		cfg := endpointOn(fmt.Sprintf("/q%d", i))
		cfg.QoS = q
		if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg}); err != nil {
			t.Fatal(err)
		}
		on := tr.Graph().EndpointsOn(cfg.Topic)
		if len(on) != 1 {
			t.Fatalf("%v: %d endpoints", q, len(on))
		}
		got := on[0].QoS
		got.History, got.Depth, got.Lifespan = q.History, q.Depth, q.Lifespan // not in every middleware's discovery
		if got != q {
			t.Errorf("%+v became %+v", q, got)
		}
	}
}

// TestNodeOutlivesItsEndpoints: a removed node disappears with its last endpoint, and accepts no new ones.
func TestNodeOutlivesItsEndpoints(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	keeper := ros2.NodeName{Namespace: "/", Name: "keeper"}
	if err := tr.AddNode(keeper); err != nil {
		t.Fatal(err)
	}
	addNode(t, tr)
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.RemoveNode(name); err != nil {
		t.Fatal(err)
	}
	if err := tr.RemoveNode(name); err == nil {
		t.Error("removed twice")
	}
	if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/y")}); !errors.Is(err, ErrConfig) {
		t.Errorf("a new endpoint on a node that is leaving: %v", err)
	}
	if err := w.Write(text(t, "still here")); err != nil {
		t.Errorf("an endpoint of a node that is leaving: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if g := tr.Graph(); slices.Contains(g.Nodes, name) || !slices.Contains(g.Nodes, keeper) {
		t.Errorf("nodes %v", g.Nodes)
	}
}

// TestGraphWithoutNodes: without a node the graph is empty and no change is reported.
func TestGraphWithoutNodes(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	if g := tr.Graph(); len(g.Nodes)+len(g.Endpoints) != 0 {
		t.Errorf("%+v", g)
	}
	if n := tr.count(ros2.PublisherEndpoint, "/x"); n != 0 {
		t.Errorf("%d publishers", n)
	}
	changed := make(chan struct{}, 1000)
	defer tr.OnGraphChange(func() { changed <- struct{}{} })()
	for range 2 { // nodes come and go, and the graph is followed through others
		addNode(t, tr)
		await(t, "change", changed)
		if g := tr.Graph(); !slices.Contains(g.Nodes, name) {
			t.Errorf("nodes %v", g.Nodes)
		}
		if err := tr.RemoveNode(name); err != nil {
			t.Fatal(err)
		}
	}
}
