// SPDX-License-Identifier: Apache-2.0

package timesource_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

func TestStatusNamesSourceAndWhatItWaitsFor(t *testing.T) {
	for want, s := range map[string]timesource.Status{
		"time: TraCI client 1":                                    {By: "TraCI client 1"},
		"time: TraCI waits for client 2 of 2 to connect":          {By: "TraCI", Waits: "client 2 of 2 to connect", Since: 999 * time.Millisecond},
		"time: TraCI client 1 waits for its next command (1m15s)": {By: "TraCI client 1", Waits: "its next command", Since: 75500 * time.Millisecond},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v says %q, want %q", s, got, want)
		}
	}
}
