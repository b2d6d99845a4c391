// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// matches tracks the matched endpoints of a publisher or subscription, and the incompatible ones. It is used with the
// endpoint's callback lock held.
type matches struct {
	cfg          ros2.EndpointConfig
	kind         ros2.EndpointKind
	matched      int
	incompatible map[ros2.GID]bool // reported by OnIncompatible
}

// update reports changes.
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
		m.updateIncompatible(t)
	}
}

// updateIncompatible reports endpoints of the topic that do not match. rcl's event has one policy and no node; the
// graph has both.
func (m *matches) updateIncompatible(t *Transport) {
	others := ros2.SubscriptionEndpoint
	if m.kind == ros2.SubscriptionEndpoint {
		others = ros2.PublisherEndpoint
	}
	if t.count(others, m.cfg.Topic) <= m.matched {
		clear(m.incompatible)
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
		if !m.incompatible[other.GID] {
			m.cfg.OnIncompatible(other, policies)
		}
	}
	m.incompatible = refused
}
