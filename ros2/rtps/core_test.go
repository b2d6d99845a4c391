// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

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
