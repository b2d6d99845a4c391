// SPDX-License-Identifier: Apache-2.0

package service

import (
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// maxNodeNames is how many nodes of one participant are named.
const maxNodeNames = 3

// participants describes DDS participants, sorted: the ROS nodes of each, or else its own name, and its address.
// Participants of ROS 2 all have the name of their enclave, "/" as a rule.
func participants(all []*wire.ParticipantData, g ros2.Graph) []string {
	nodes := map[wire.GUIDPrefix][]string{}
	for _, e := range g.Endpoints {
		prefix := wire.GUIDPrefix(e.GID[:len(wire.GUIDPrefix{})])
		if name := e.Node.FullName(); e.Node.Name != "" && !slices.Contains(nodes[prefix], name) {
			nodes[prefix] = append(nodes[prefix], name)
		}
	}
	var out []string
	for _, p := range all {
		names := nodes[p.GUID.Prefix]
		slices.Sort(names)
		name := strings.Join(names[:min(len(names), maxNodeNames)], " ")
		switch {
		case len(names) > maxNodeNames:
			name += " …"
		case name == "" && p.EntityName != "" && p.EntityName != "/":
			name = p.EntityName
		case name == "":
			name = "unnamed"
		}
		if len(p.DefaultUnicast) > 0 {
			if at, ok := p.DefaultUnicast[0].AddrPort(); ok {
				name += " at " + at.Addr().String()
			}
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
