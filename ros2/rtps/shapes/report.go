// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"fmt"
	"io"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// report writes the lines that the suite reads, each with one write, so that they are not interleaved.
type report struct {
	mu  sync.Mutex
	out io.Writer
}

// linef writes a line. Errors are ignored: the reader may be gone.
func (r *report) linef(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = fmt.Fprintf(r.out, format+"\n", args...)
}

// shape writes a sample.
func (r *report) shape(topic string, s *Shape) { r.linef("%-10s %-10s %s", topic, s.Color, s) }

// ended writes the end of an instance.
func (r *report) ended(topic string, e *Entry) {
	r.linef("%-10s %-10s %s", topic, e.Shape.Color, e.State)
}

// match writes a match event under the name of the DDS listener callback.
func (r *report) match(topic string, writer bool, n int, ev rtps.MatchEvent) {
	side, others, change := "subscription", "writers", 1
	if writer {
		side, others = "publication", "readers"
	}
	switch ev.Kind {
	case rtps.Incompatible:
		side = "requested"
		if writer {
			side = "offered"
		}
		r.linef("on_%s_incompatible_qos() topic: '%s'  type: '%s' : %d (%v)", side, topic, typeName, ev.Policies[0], ev.Policies[0])
		return
	case rtps.Unmatched:
		change = -1
	case rtps.Matched:
	}
	r.linef("on_%s_matched() topic: '%s'  type: '%s' : matched %s %d (change = %d)", side, topic, typeName, others, n, change)
}

// missed writes the number of missed deadlines.
func (r *report) missed(topic string, writer bool, total, change int) {
	side := "requested"
	if writer {
		side = "offered"
	}
	r.linef("on_%s_deadline_missed() topic: '%s'  type: '%s' : (total = %d, change = %d)", side, topic, typeName, total, change)
}
