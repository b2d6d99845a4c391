// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestNodeNameForms(t *testing.T) {
	for n, want := range map[ros2.NodeName][2]string{
		{Namespace: "/", Name: "a"}:    {"/a", "a"},
		{Namespace: "/r/s", Name: "a"}: {"/r/s/a", "r.s.a"},
	} {
		if got := [2]string{n.FullName(), n.LoggerName()}; got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}

func TestGraphQueries(t *testing.T) {
	net := ros2test.NewNetwork()
	a, b := net.NewTransport(), net.NewTransport()
	defer a.Close()
	defer b.Close()
	var changes int
	defer a.OnGraphChange(func() { changes++ })()
	talker, listener := newNode(t, a, "talker"), newNode(t, b, "listener")
	newPublisher(t, talker, "x", ros2.DefaultQoS())
	newPublisher(t, talker, "y", ros2.SensorDataQoS())
	subscribe(t, listener, "x", ros2.DefaultQoS())
	if _, err := ros2.NewPublisher[other](listener, "x", ros2.DefaultQoS()); err != nil {
		t.Fatal(err)
	}
	g := listener.Graph()
	if diff := cmp.Diff([]ros2.NodeName{listener.Name(), talker.Name()}, g.Nodes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]ros2.TopicInfo{
		{Name: "/x", Types: []string{"test_msgs/msg/Chatter", "test_msgs/msg/Other"}, Publishers: 2, Subscriptions: 1},
		{Name: "/y", Types: []string{"test_msgs/msg/Chatter"}, Publishers: 1},
	}, g.Topics()); diff != "" {
		t.Error(diff)
	}
	on := g.EndpointsOn("/x")
	if len(on) != 3 || on[0].Kind != ros2.PublisherEndpoint || on[2].Kind != ros2.SubscriptionEndpoint {
		t.Errorf("endpoints on /x: %+v", on)
	}
	of := g.EndpointsOf(talker.Name())
	if len(of) != 2 || of[1].QoS != ros2.SensorDataQoS() || of[1].TypeHash == "" || of[1].GID.IsZero() {
		t.Errorf("endpoints of the talker: %+v", of)
	}
	if changes != 6 {
		t.Errorf("%d changes of the graph, want 6", changes)
	}
	if got := ros2.ServiceEndpoint.String() + " " + ros2.ClientEndpoint.String(); got != "service client" {
		t.Error(got)
	}
}

func TestTopicsLeaveServicesOut(t *testing.T) {
	g := ros2.Graph{Endpoints: []ros2.EndpointInfo{
		{Kind: ros2.ServiceEndpoint, Topic: "/reset"}, {Kind: ros2.ClientEndpoint, Topic: "/reset"},
		{Kind: ros2.PublisherEndpoint, Topic: "/a", GID: ros2.GID{15: 2}},
		{Kind: ros2.PublisherEndpoint, Topic: "/a", GID: ros2.GID{15: 1}},
	}}
	g.Sort()
	if got := g.Topics(); len(got) != 1 || got[0].Publishers != 2 || g.Endpoints[0].GID[15] != 1 {
		t.Errorf("topics %+v", got)
	}
	if len(g.EndpointsOn("/reset")) != 0 {
		t.Error("a service is listed as a topic")
	}
}
