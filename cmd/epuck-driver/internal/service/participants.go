// SPDX-License-Identifier: Apache-2.0

package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// maxNodeNames is the maximum number of nodes listed per participant.
const maxNodeNames = 3

// prefixSize is the size of a GID's participant prefix, bytes.
const prefixSize = 12

// maxRefusals is the maximum number of refusals listed.
const maxRefusals = 10

// refusals describes the rejections of DDS Security, sorted. Names and topics are quoted, as they come from untrusted
// peers.
func refusals(all []rtps.Refusal) (out []string) {
	for _, r := range all {
		text := fmt.Sprintf("%.40q", r.Name)
		if topic, _ := rmw.DemangleTopic(r.Topic); r.Topic != "" {
			text += map[bool]string{true: " as a publisher of ", false: " as a subscription of "}[r.Writer] + fmt.Sprintf("%.60q", topic)
		}
		out = append(out, fmt.Sprintf("%s: %.200s", text, printable.Line(r.Err.Error())))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxRefusals {
		out = append(out[:maxRefusals], fmt.Sprintf("and %d more", len(out)-maxRefusals))
	}
	return out
}

// participant is a DDS participant: the prefix of its endpoints' GIDs, its name and its IP address, "" if unknown.
type participant struct{ prefix, name, address string }

// participants describes DDS participants, sorted: the ROS nodes of each, or else its own name, and its address.
// Participants of ROS 2 have the name of their enclave, usually "/".
func participants(all []participant, g ros2.Graph) []string {
	nodes := map[string][]string{}
	for _, e := range g.Endpoints {
		prefix := string(e.GID[:prefixSize])
		if name := e.Node.FullName(); e.Node.Name != "" && !slices.Contains(nodes[prefix], name) {
			nodes[prefix] = append(nodes[prefix], name)
		}
	}
	var out []string
	for _, p := range all {
		names := nodes[p.prefix]
		slices.Sort(names)
		name := strings.Join(names[:min(len(names), maxNodeNames)], " ")
		switch {
		case len(names) > maxNodeNames:
			name += " …"
		case name == "" && p.name != "" && p.name != "/":
			name = p.name
		case name == "":
			name = "unnamed"
		}
		if p.address != "" {
			name += " at " + p.address
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
