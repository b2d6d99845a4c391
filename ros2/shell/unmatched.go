// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// unmatchedTime is how long a publisher waits for its first subscription before it prints why none matches.
const unmatchedTime = time.Second

// unmatched returns why no subscription matches a publisher on a topic: it has another type or version of it, requests more
// than is offered, or is on a topic with a similar name. It is empty if nothing prevents a match.
func unmatched(g ros2.Graph, p ros2.EndpointConfig) string {
	var reasons, subscribed []string
	for _, e := range g.Endpoints {
		if e.Kind != ros2.SubscriptionEndpoint {
			continue
		}
		if e.Topic != p.Topic {
			subscribed = append(subscribed, e.Topic)
			continue
		}
		reason := ""
		switch policies := ros2.IncompatiblePolicies(p.QoS, e.QoS); {
		case e.Type != p.Type:
			reason = fmt.Sprintf("node %s subscribes to it with the type '%s', not '%s'", e.Node.FullName(), e.Type, p.Type)
		case policies != 0:
			reason = fmt.Sprintf("node %s requests more than is offered: %s", e.Node.FullName(), policies)
		case e.TypeHash != "" && p.TypeHash != "" && e.TypeHash != p.TypeHash:
			reason = fmt.Sprintf("node %s subscribes to it with another version of the type '%s' (hash %s, not %s)", e.Node.FullName(), e.Type, e.TypeHash, p.TypeHash)
		default:
			return ""
		}
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		near := suggest.DidYouMean(p.Topic, unique(subscribed))
		if near == "" {
			return ""
		}
		return fmt.Sprintf("Nothing subscribes to '%s' yet%s", p.Topic, near)
	}
	return fmt.Sprintf("No subscription of '%s' matches: %s", p.Topic, strings.Join(reasons, "; "))
}

// sayUnmatched prints why the publisher has no subscription, when that has changed.
func (p *publication) sayUnmatched() {
	if time.Since(p.started) < unmatchedTime || p.matched.Load() > 0 {
		return
	}
	if why := unmatched(p.s.transport.Graph(), p.endpoint); why != p.said {
		p.said = why
		if why != "" {
			fmt.Fprintln(p.s.env.Err, why)
		}
	}
}
