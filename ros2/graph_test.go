// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
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
