// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

func TestCounter(t *testing.T) {
	var k counter
	for i, c := range []struct {
		count wire.Count
		want  bool
	}{{0, true}, {0, false}, {1, true}, {1, false}, {5, true}, {4, false}, {math.MaxInt32, true}, {math.MinInt32, true}, {math.MaxInt32, false}} {
		if got := k.accept(c.count); got != c.want {
			t.Errorf("step %d: count %d: %v", i, c.count, got)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for name, c := range map[string]Config{
		"domain": {DomainID: 233}, "rate": {SendRate: -1}, "lease": {LeaseDuration: -1}, "limit": {Limits: Limits{EndpointBytes: -1}},
	} {
		if _, err := NewParticipant(c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	q := wire.DefaultReaderQoS()
	bad := q
	bad.Depth = 0
	for name, err := range map[string]error{
		"topic":       checkEndpoint("", "t", q),
		"type":        checkEndpoint("t", "", q),
		"depth":       checkEndpoint("t", "t", bad),
		"reliability": checkEndpoint("t", "t", wire.QoS{Depth: 1}),
	} {
		if !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
