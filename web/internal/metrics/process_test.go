// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestProcessMetrics(t *testing.T) {
	var page Text
	Process(&page)
	text := string(page.Bytes())
	for _, name := range []string{
		"process_cpu_seconds_total", "process_resident_memory_peak_bytes", "go_memory_mapped_bytes",
		"go_memory_heap_bytes", "go_goroutines",
	} {
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(text)
		if found == nil {
			t.Errorf("%s is missing in\n%s", name, text)
			continue
		}
		if v, err := strconv.ParseFloat(found[1], 64); err != nil || v <= 0 {
			t.Errorf("%s is %s: %v", name, found[1], err)
		}
		if !strings.Contains(text, "# HELP "+name+" ") || !strings.Contains(text, "# TYPE "+name+" ") {
			t.Errorf("%s is not described", name)
		}
	}
}

func TestTransportsCountersHaveTheirKind(t *testing.T) {
	transport := ros2test.NewTransport()
	transport.SetCounters(
		ros2.Counter{Name: "datagrams sent", Value: 12},
		ros2.Counter{Name: "dropped: too long", Value: 3},
		ros2.Counter{Name: "dropped: bad: twice", Value: 1})
	var page Text
	Transport(&page, transport)
	const want = `# HELP ros_transport_total What the transport has done, or dropped and why.
# TYPE ros_transport_total counter
ros_transport_total{kind="done",what="datagrams sent"} 12
ros_transport_total{kind="dropped",what="too long"} 3
ros_transport_total{kind="dropped",what="bad: twice"} 1
`
	if got := string(page.Bytes()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// mute is a transport that counts nothing.
type mute struct{ ros2.Transport }

func TestTransportWithoutCountersWritesNothing(t *testing.T) {
	var page Text
	Transport(&page, mute{})
	if got := page.Bytes(); len(got) > 0 {
		t.Errorf("%s", got)
	}
}
