// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func topicInfo(ctx context.Context, s *session) error {
	name, err := s.fullName(s.args.value("topic_name", ""))
	if err != nil {
		return err
	}
	g, err := s.graph(ctx, hasTopic(name))
	if err != nil {
		return err
	}
	var info *ros2.TopicInfo
	for _, t := range g.Topics() {
		if t.Name == name {
			info = &t
			break
		}
	}
	if info == nil {
		return failf("Unknown topic '%s'%s", name, suggest.DidYouMean(name, topicNames(g, true)))
	}
	end := "\n"
	if s.args.flag("--verbose") {
		end = "\n\n"
	}
	types := info.Types[0]
	if len(info.Types) > 1 {
		types = "['" + strings.Join(info.Types, "', '") + "']"
	}
	s.printf("Type: %s%s", types, end)
	s.printf("Publisher count: %d%s", info.Publishers, end)
	s.printEndpoints(g, name, ros2.PublisherEndpoint, end)
	s.printf("Subscription count: %d%s", info.Subscriptions, end)
	s.printEndpoints(g, name, ros2.SubscriptionEndpoint, end)
	return nil
}

// printEndpoints describes the endpoints of a topic if --verbose is set.
func (s *session) printEndpoints(g ros2.Graph, topic string, kind ros2.EndpointKind, end string) {
	if !s.args.flag("--verbose") {
		return
	}
	for _, e := range g.EndpointsOn(topic) {
		if e.Kind == kind {
			s.printf("%s%s", endpointText(e), end)
		}
	}
}

// gidSize is the length of identities shown by Humble; the bytes beyond ours are zero.
const gidSize = 24

func endpointText(e ros2.EndpointInfo) string {
	node := e.Node
	if node.Name == "" {
		node = ros2.NodeName{Namespace: "_NODE_NAMESPACE_UNKNOWN_", Name: "_NODE_NAME_UNKNOWN_"}
	}
	kind := "PUBLISHER"
	if e.Kind == ros2.SubscriptionEndpoint {
		kind = "SUBSCRIPTION"
	}
	var gid [gidSize]byte
	copy(gid[:], e.GID[:])
	hex := make([]string, gidSize)
	for i, b := range gid {
		hex[i] = fmt.Sprintf("%02x", b)
	}
	hash := e.TypeHash
	if hash == "" { // as the ros2 command shows nodes of Humble, which announce none
		hash = "INVALID"
	}
	q := e.QoS
	history := fmt.Sprintf("KEEP_LAST (%d)", q.EffectiveDepth())
	if q.History == ros2.KeepAll {
		history = "KEEP_ALL"
	}
	return fmt.Sprintf(`Node name: %s
Node namespace: %s
Topic type: %s
Topic type hash: %s
Endpoint type: %s
GID: %s
QoS profile:
  Reliability: %s
  History (Depth): %s
  Durability: %s
  Lifespan: %s
  Deadline: %s
  Liveliness: %s
  Liveliness lease duration: %s`,
		node.Name, node.Namespace, e.Type, hash, kind, strings.Join(hex, "."),
		policyName(q.Reliability), history, policyName(q.Durability),
		periodText(q.Lifespan), periodText(q.Deadline), policyName(q.Liveliness), periodText(q.LivelinessLease))
}

// policyName returns a policy as ROS's constant: BEST_EFFORT.
func policyName(policy fmt.Stringer) string {
	return strings.ToUpper(strings.ReplaceAll(policy.String(), " ", "_"))
}

func periodText(d time.Duration) string {
	if d == 0 {
		return "Infinite"
	}
	return fmt.Sprintf("%d nanoseconds", d.Nanoseconds())
}
