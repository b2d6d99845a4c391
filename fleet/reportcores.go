// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

const (
	// fullShare is the load of a core from which the status is a warning.
	fullShare = 0.95
	// lostShare is the share of lost control cycles from which the status is a warning.
	lostShare = 0.01
)

// ReportCores adds the reports of robots' processors to the diagnostics and the status line: all is called in Tick.
// It must be called before the first Tick.
func (t *ClockPublisher) ReportCores(all func() []core.Report) { t.cores = all }

// diagnosis returns the status of a robot's processor for /diagnostics.
func diagnosis(r core.Report) diagnostic_msgs.DiagnosticStatus {
	s := diagnostic_msgs.DiagnosticStatus{
		Name: "simulation: processor of " + r.Robot, HardwareID: r.Robot, Level: diagnostic_msgs.DiagnosticStatusOK, Message: "it has time for all",
	}
	switch {
	case r.Control.Share() > lostShare:
		s.Level, s.Message = diagnostic_msgs.DiagnosticStatusWarn, "control cycles are lost: the processor is too slow for its work"
	case r.Share.Likely > fullShare:
		s.Level, s.Message = diagnostic_msgs.DiagnosticStatusWarn, "the processor is busy all the time"
	}
	add := func(key, format string, v ...any) {
		s.Values = append(s.Values, diagnostic_msgs.KeyValue{Key: key, Value: fmt.Sprintf(format, v...)})
	}
	add("what is charged", "%s", r.How)
	add("share of the core (%)", "%.2f", 100*r.Share.Likely)
	add("share of the core, lowest (%)", "%.2f", 100*r.Share.Low)
	add("share of the core, highest (%)", "%.2f", 100*r.Share.High)
	add("control cycles", "%d", r.Control.Made)
	add("control cycles lost", "%d", r.Control.Lost)
	add("control cycles late", "%d", r.Control.Late)
	add("longest time between two (ms)", "%.1f", r.Control.Gap.Seconds()*1e3)
	add("callbacks", "%d", r.Callbacks)
	add("callbacks dropped", "%d", r.Dropped)
	add("energy of the computer (J)", "%.3f", r.Board.Likely)
	add("of it for the work (J)", "%.3f", r.Processor.Likely)
	return s
}

// busiest returns a part of the status line: the processor with the highest load, and the lost cycles of all.
func busiest(all []core.Report) string {
	if len(all) == 0 {
		return ""
	}
	most, lost := all[0], 0
	for _, r := range all {
		if r.Share.Likely > most.Share.Likely {
			most = r
		}
		lost += r.Control.Lost
	}
	line := fmt.Sprintf(" | core of %s %.1f %%", most.Robot, 100*most.Share.Likely)
	if lost > 0 {
		line += fmt.Sprintf(", %d cycles lost", lost)
	}
	return line
}
