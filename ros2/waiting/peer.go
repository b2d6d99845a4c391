// SPDX-License-Identifier: Apache-2.0

package waiting

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Peer is what is waited for: an endpoint of another node, or a node.
type Peer struct {
	// Kind of the peer: a publisher, subscription or service is waited for.
	Kind ros2.EndpointKind
	// Name is the full name of the topic, service or action.
	Name string
	// Type is the interface name of this side; empty is any.
	Type string
	// TypeHash is that of this side's type, as REP 2011 defines it; empty is any. Peers before Iron have none.
	TypeHash string
	// QoS is that of this side, compared unless AnyQoS is set. Services have one for all.
	QoS    ros2.QoS
	AnyQoS bool
	// Action means that Name and Type are those of an action, whose server is waited for.
	Action bool
	// Node means that Name is the full name of a node, which is waited for. Kind, Type and QoS are not used.
	Node bool
	// Own is the node that waits; its endpoints are ignored.
	Own ros2.NodeName
}

// sendGoal is the service by which an action's server is found.
const sendGoal, sendGoalType = "/_action/send_goal", "_SendGoal"

// names returns the name and type of the endpoint.
func (p Peer) names() (name, rosType string) {
	if p.Action {
		return p.Name + sendGoal, p.Type + sendGoalType
	}
	return p.Name, p.Type
}

// String describes the peer, as in "a subscription of /cmd_vel".
func (p Peer) String() string {
	if p.Node {
		return "the node " + p.Name
	}
	return "a " + p.noun() + " " + p.Name
}

func (p Peer) noun() string {
	switch {
	case p.Action:
		return "server of the action"
	case p.Kind == ros2.ServiceEndpoint:
		return "server of the service"
	}
	return p.Kind.String() + " of"
}

// Matched returns the nodes with an endpoint that matches, sorted.
func (p Peer) Matched(g ros2.Graph) []string {
	var nodes []string
	for _, e := range p.endpoints(g) {
		if p.mismatch(e) == "" {
			nodes = append(nodes, nodeOf(e))
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// endpoints returns those of the kind and name in other nodes.
func (p Peer) endpoints(g ros2.Graph) (list []ros2.EndpointInfo) {
	name, _ := p.names()
	kind := p.Kind
	if p.Action {
		kind = ros2.ServiceEndpoint
	}
	for _, e := range g.Endpoints {
		if e.Kind == kind && e.Topic == name && (e.Node != p.Own || p.Own.Name == "") {
			list = append(list, e)
		}
	}
	return list
}

// mismatch returns why an endpoint does not match; empty if it does.
func (p Peer) mismatch(e ros2.EndpointInfo) string {
	_, rosType := p.names()
	if p.Type != "" && e.Type != rosType {
		theirs := e.Type
		if p.Action {
			theirs = strings.TrimSuffix(theirs, sendGoalType)
		}
		return fmt.Sprintf("%s uses the type %s, not %s", nodeOf(e), theirs, p.Type)
	}
	if p.TypeHash != "" && e.TypeHash != "" && p.TypeHash != e.TypeHash {
		return fmt.Sprintf("%s uses another version of the type %s (hash %s, not %s)", nodeOf(e), p.Type, e.TypeHash, p.TypeHash)
	}
	if p.AnyQoS || p.Action || p.Kind == ros2.ServiceEndpoint {
		return ""
	}
	offered, requested, text := p.QoS, e.QoS, "%s requests more than is offered here (%s): offered %v, requested %v"
	if p.Kind == ros2.PublisherEndpoint {
		offered, requested, text = e.QoS, p.QoS, "%s offers less than is requested here (%s): offered %v, requested %v"
	}
	if bad := ros2.IncompatiblePolicies(offered, requested); bad != 0 {
		return fmt.Sprintf(text, nodeOf(e), bad, offered, requested)
	}
	return ""
}

func nodeOf(e ros2.EndpointInfo) string {
	if e.Node.Name == "" {
		return "an unknown node"
	}
	return e.Node.FullName()
}

// Present reports whether another node has an endpoint with the name, matching or not.
func (p Peer) Present(g ros2.Graph) bool { return len(p.endpoints(g)) > 0 }

// Missing returns why no peer matches, empty if one does: no node, no such name, other types, or other quality of
// service.
func (p Peer) Missing(g ros2.Graph) string {
	if p.Node {
		return p.missingNode(g)
	}
	list := p.endpoints(g)
	if len(list) == 0 {
		return p.absent(g)
	}
	var reasons []string
	for _, e := range list {
		text := p.mismatch(e)
		if text == "" {
			return ""
		}
		if !slices.Contains(reasons, text) {
			reasons = append(reasons, text)
		}
	}
	if n := len(reasons) - maxReasons; n > 0 {
		reasons = append(reasons[:maxReasons], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(reasons, "; ")
}

// missingNode is Missing for a node.
func (p Peer) missingNode(g ros2.Graph) string {
	var others []string
	for _, n := range g.Nodes {
		switch {
		case n.FullName() == p.Name:
			return ""
		case n != p.Own:
			others = append(others, n.FullName())
		}
	}
	if p.alone(g) {
		return "no other node in this ROS domain" + domain()
	}
	slices.Sort(others)
	return "no node has this name" + suggest.DidYouMean(p.Name, slices.Compact(others))
}

// maxReasons is the maximum number of endpoints and names in a text.
const maxReasons = 3

// absent explains that no node has the name.
func (p Peer) absent(g ros2.Graph) string {
	if p.alone(g) {
		return "no other node in this ROS domain" + domain()
	}
	return "no node has one" + suggest.DidYouMean(p.Name, p.others(g))
}

// alone reports whether the graph has nothing of another node.
func (p Peer) alone(g ros2.Graph) bool {
	own := 1
	for _, n := range g.Nodes {
		if n != p.Own {
			return false
		}
		if own--; own < 0 { // a second node of that name
			return false
		}
	}
	return !slices.ContainsFunc(g.Endpoints, func(e ros2.EndpointInfo) bool { return e.Node != p.Own })
}

// domain describes what decides which nodes are seen.
func domain() string {
	id := os.Getenv("ROS_DOMAIN_ID")
	if id == "" {
		id = "0"
	}
	text := " (ROS_DOMAIN_ID is " + id
	switch reach := strings.ToUpper(os.Getenv("ROS_AUTOMATIC_DISCOVERY_RANGE")); {
	case os.Getenv("ROS_LOCALHOST_ONLY") == "1":
		text += ", ROS_LOCALHOST_ONLY is 1: only this machine"
	case reach == "LOCALHOST" || reach == "OFF":
		text += ", ROS_AUTOMATIC_DISCOVERY_RANGE is " + reach
	}
	return text + ")"
}

// others returns the other names of the same kind, sorted.
func (p Peer) others(g ros2.Graph) []string {
	var all []string
	for _, e := range g.Endpoints {
		kind, name := p.Kind, e.Topic
		if p.Action {
			short, ok := strings.CutSuffix(name, sendGoal)
			if !ok {
				continue
			}
			kind, name = ros2.ServiceEndpoint, short
		}
		if e.Kind != kind || e.Node == p.Own || name == p.Name {
			continue
		}
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
