// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"fmt"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
)

// TestFactsOfEachNodeAreTheLast: a robot's node publishes the facts of a run until it leaves, then the simulation's.
func TestFactsOfEachNodeAreTheLast(t *testing.T) {
	var texts []string
	for i, node := range []string{"/epuck_driver", "/epuck_driver", "/simulation", "/simulation"} {
		texts = append(texts, fmt.Sprintf(`{"node": %q, "trace_at_s": %d}`, node, i))
	}
	b, err := bag.Open(fixtures.Texts(t, "/"+TopicRun, texts...))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	runs, err := FactsIn(b)
	if err != nil || len(runs) != 2 || runs[0].Node != "/epuck_driver" || runs[0].TraceAt != 1 || runs[1].Node != "/simulation" || runs[1].TraceAt != 3 {
		t.Errorf("%+v, %v", runs, err)
	}
}
