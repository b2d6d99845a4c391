// SPDX-License-Identifier: Apache-2.0

package service

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestParticipantsAreNamedByTheirNodes: "/", the enclave that every participant of ROS 2 has for a name, says nothing.
func TestParticipantsAreNamedByTheirNodes(t *testing.T) {
	participant := func(id byte, name string) *wire.ParticipantData {
		p := &wire.ParticipantData{EntityName: name}
		p.GUID.Prefix[0] = id
		return p
	}
	endpoint := func(id byte, node string) ros2.EndpointInfo {
		e := ros2.EndpointInfo{Node: ros2.NodeName{Namespace: "/", Name: node}}
		e.GID[0] = id
		return e
	}
	all := []*wire.ParticipantData{participant(1, "/"), participant(2, "shapes"), participant(3, "/"), participant(4, "/")}
	all[0].DefaultUnicast = []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort("192.0.2.9:7411"))}
	g := ros2.Graph{Endpoints: []ros2.EndpointInfo{
		endpoint(1, "rviz"), endpoint(1, "rviz"), endpoint(1, "bag"), endpoint(3, ""),
		endpoint(4, "d"), endpoint(4, "c"), endpoint(4, "b"), endpoint(4, "a"),
	}}
	want := []string{"/a /b /c …", "/bag /rviz at 192.0.2.9", "shapes", "unnamed"}
	if got := participants(all, g); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
