// SPDX-License-Identifier: Apache-2.0

package service

import (
	"errors"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// TestParticipantsAreNamedByTheirNodes: "/", the enclave that every participant of ROS 2 has for a name, says nothing.
func TestParticipantsAreNamedByTheirNodes(t *testing.T) {
	one := func(id byte, name, address string) participant {
		return participant{string(append([]byte{id}, make([]byte, prefixSize-1)...)), name, address}
	}
	endpoint := func(id byte, node string) ros2.EndpointInfo {
		e := ros2.EndpointInfo{Node: ros2.NodeName{Namespace: "/", Name: node}}
		e.GID[0] = id
		return e
	}
	all := []participant{one(1, "/", "192.0.2.9"), one(2, "shapes", ""), one(3, "/", ""), one(4, "/", "")}
	g := ros2.Graph{Endpoints: []ros2.EndpointInfo{
		endpoint(1, "rviz"), endpoint(1, "rviz"), endpoint(1, "bag"), endpoint(3, ""),
		endpoint(4, "d"), endpoint(4, "c"), endpoint(4, "b"), endpoint(4, "a"),
	}}
	want := []string{"/a /b /c …", "/bag /rviz at 192.0.2.9", "shapes", "unnamed"}
	if got := participants(all, g); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRefusalsAreDescribed: who, with which topic, and why; the same of several endpoints once, and not without end.
func TestRefusalsAreDescribed(t *testing.T) {
	no := errors.New("not permitted\x1b[2J")
	list := []rtps.Refusal{
		{Name: "/ben", Topic: "rt/epuck1/cmd_vel", Writer: true, Err: no}, {Name: "/ben", Topic: "rt/epuck1/cmd_vel", Writer: true, Err: no},
		{Name: "/ben", Topic: "rt/odom", Err: no}, {Name: "x\x1b", Err: rtps.ErrNoAnswer},
	}
	want := []string{`"/ben" as a publisher of "/epuck1/cmd_vel": not permitted\x1b[2J`, `"/ben" as a subscription of "/odom": not permitted\x1b[2J`,
		`"x\x1b": ` + rtps.ErrNoAnswer.Error()}
	if got := refusals(list); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range 20 {
		list = append(list, rtps.Refusal{Name: list[len(list)-1].Name + "x", Err: no})
	}
	if got := refusals(list); len(got) != maxRefusals+1 || got[maxRefusals] != "and 13 more" {
		t.Errorf("%q", got)
	}
}
