// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// Status is what a program of a machine did so far.
type Status struct {
	Name   string
	Ended  bool
	Exit   int           // its exit status once it has ended; −1: a signal ended it
	For    time.Duration // simulated time since it was started, to its end
	Counts armcost.Counts
	// Late is how often a thread that had waited for a time got the core more than 1 ms later, Worst the most of it.
	Late  int
	Worst time.Duration
}

// Status returns the state of all programs of the machine, in the order in which they were started.
func (m *Machine) Status() []Status {
	h := m.core.header()
	var all []Status
	for _, p := range m.programs {
		s := Status{Name: p.name, Ended: p.over, Counts: p.counts.counts(), Late: p.late, Worst: p.worst}
		until := m.now()
		if p.over {
			<-p.gone
			until = p.ended
			s.Exit = p.cmd.ProcessState.ExitCode()
		}
		s.For = h.duration(until - p.begun)
		all = append(all, s)
	}
	return all
}

// Signal sends a signal to all programs of the machine that have not ended; it is delivered at the present simulated time.
func (m *Machine) Signal(s syscall.Signal) error {
	for _, p := range m.programs {
		if p.over {
			continue
		}
		if err := p.cmd.Process.Signal(s); err != nil {
			return err
		}
		if err := m.awaitDelivery(p, p.coreRequests, outsideDeliveryTimeout); err != nil {
			return err
		}
	}
	return nil
}

// Running reports whether a program has not ended.
func (m *Machine) Running() bool {
	for _, p := range m.programs {
		if !p.over {
			return true
		}
	}
	return false
}
