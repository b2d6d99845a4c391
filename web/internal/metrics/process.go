// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"runtime"
	"runtime/metrics"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Process writes the process's resource usage: the names are those of Prometheus' own clients.
func Process(t *Text) {
	if used, err := system.Used(); err == nil {
		t.One("process_cpu_seconds_total", "counter", "Processor time of the program.", used.Processor.Seconds())
		t.One("process_resident_memory_peak_bytes", "gauge", "Most memory that the program had at once.", float64(used.PeakMemory))
	}
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	t.One("go_memory_mapped_bytes", "gauge", "Memory that the Go runtime has from the system.", float64(samples[0].Value.Uint64()))
	t.One("go_memory_heap_bytes", "gauge", "Memory of live and not yet swept objects.", float64(samples[1].Value.Uint64()))
	t.One("go_goroutines", "gauge", "Goroutines now.", float64(runtime.NumGoroutine()))
}

// Transport writes the counters of a transport that has any.
func Transport(t *Text, from ros2.Transport) {
	counting, ok := from.(ros2.CountingTransport)
	if !ok {
		return
	}
	t.Family("ros_transport_total", "counter", "What the transport has done, or dropped and why.")
	for _, c := range counting.Counters(nil) {
		kind, what, found := strings.Cut(c.Name, ": ")
		if !found {
			kind, what = "done", c.Name
		}
		t.Sample("ros_transport_total", float64(c.Value), Label{"kind", kind}, Label{"what", what})
	}
}
