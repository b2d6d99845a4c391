// SPDX-License-Identifier: Apache-2.0

//go:build long

package order_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// The same for the leader: the deliveries to a member exceed a message's limit.
func TestGrantTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		n := s.first.node("a")
		say := s.first.says(n, "scan")
		s.first.every(n, "talk", time.Second, func(time.Time) {
			for range wire.MaxLength / 50 {
				say("x")
			}
		})
		s.member("b", nil, func(a *application) { a.hears(a.node("b"), "scan", func(string) {}) })
		err := s.leader.Advance(time.Time{}.Add(2 * time.Second))
		if !errors.Is(err, order.ErrTooLong) || !strings.Contains(err.Error(), "grant of member b has ") {
			t.Errorf("ended with %v", err)
		}
		s.close()
	})
}
