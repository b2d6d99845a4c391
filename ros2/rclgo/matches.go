// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// matches follows what a publisher or subscription matches, and what it does not
// because of policies. It is used under the endpoint's lock of callbacks.
type matches struct {
	cfg     ros2.EndpointConfig
	kind    ros2.EndpointKind
	matched int
	refused map[ros2.GID]bool // told of by OnIncompatible
}

// update tells of changes.
func (m *matches) update(t *Transport, count func() (int, error)) {
	var n int
	err := call("counting matches of "+m.cfg.Topic, func() (err error) {
		n, err = count()
		return err
	})
	if err != nil {
		t.log.Debug("matches unknown", slog.Any("error", err))
		return
	}
	if n != m.matched {
		m.matched = n
		if m.cfg.OnMatch != nil {
			m.cfg.OnMatch(n)
		}
	}
	if m.cfg.OnIncompatible != nil {
		m.updateRefused(t)
	}
}

// updateRefused tells of endpoints of the topic that are there and do not match.
// rcl's own event names one policy and not the node that has it; the graph knows both.
func (m *matches) updateRefused(t *Transport) {
	others := ros2.SubscriptionEndpoint
	if m.kind == ros2.SubscriptionEndpoint {
		others = ros2.PublisherEndpoint
	}
	if t.count(others, m.cfg.Topic) <= m.matched {
		clear(m.refused)
		return
	}
	refused := make(map[ros2.GID]bool)
	for _, other := range t.endpointsOn(others, m.cfg.Topic) {
		policies := ros2.IncompatiblePolicies(m.cfg.QoS, other.QoS)
		if m.kind == ros2.SubscriptionEndpoint {
			policies = ros2.IncompatiblePolicies(other.QoS, m.cfg.QoS)
		}
		if other.Type != m.cfg.Type || policies == 0 {
			continue
		}
		refused[other.GID] = true
		if !m.refused[other.GID] {
			m.cfg.OnIncompatible(other, policies)
		}
	}
	m.refused = refused
}
