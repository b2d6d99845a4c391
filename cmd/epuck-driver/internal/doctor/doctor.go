// SPDX-License-Identifier: Apache-2.0

// Package doctor examines the machine of a robot's driver: buses, chips, firmware, rights, kernel modules, camera,
// clock, disk, power, service and network. Each finding has an observation, and each failure a command that fixes it.
//
// # Machine (files, buses, sockets of this or of a fake machine) ──► Examine ──► Report ──► text or JSON
//
// It depends on the robot and on Linux, not on ROS: findings about the network are passed in. It changes nothing,
// except that a request to the robot's firmware stops the wheels.
package doctor

import "context"

// Status is the result of one check.
type Status uint8

// The results, in order of severity.
const (
	// Skipped is a check that could not be made, for a reason that is not a fault.
	Skipped Status = iota
	// OK is a check without a problem.
	OK
	// Warning is a problem with which the driver runs, such as a missing part.
	Warning
	// Failure is a problem with which the driver can't work.
	Failure
)

var statusNames = [...]string{"skipped", "ok", "warning", "failure"}

// String returns the status as in the JSON report.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "unknown"
}

// MarshalText returns the name, as JSON value.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is the result of one check.
type Finding struct {
	// Check is the name of the check, two or three words.
	Check string `json:"check"`
	// Status is the result.
	Status Status `json:"status"`
	// Text is the observation, one line.
	Text string `json:"text"`
	// Fix is a shell command or, if none fixes the problem, an instruction. It is empty without a problem.
	Fix string `json:"fix,omitempty"`
}

// Report holds the findings of an examination, in the order of the checks.
type Report struct {
	Findings []Finding `json:"findings"`
}

// Worst returns the most severe status, at least OK.
func (r Report) Worst() Status {
	worst := OK
	for _, f := range r.Findings {
		worst = max(worst, f.Status)
	}
	return worst
}

// Count returns the number of findings with a status.
func (r Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// check is one check. It may return several findings.
type check func(context.Context, *Machine) []Finding

// checks returns all checks: from the machine itself, over the devices connected to it, to the network.
func checks() []check {
	return []check{
		checkModel, checkPower, checkMemory, checkDisk, checkClock,
		checkModules, checkRights, checkBus, checkFirmware, checkChips, checkBoard,
		checkCamera, checkEncoder,
		checkService, checkParameters, checkCalibration,
		checkInterfaces, checkLoopback, checkSockets, checkEnvironment, checkSecurity, checkNetwork,
	}
}

// Examine executes all checks. When ctx ends it returns the findings so far.
func Examine(ctx context.Context, m *Machine) Report {
	var r Report
	for _, c := range checks() {
		if ctx.Err() != nil {
			break
		}
		r.Findings = append(r.Findings, c(ctx, m)...)
	}
	return r
}

func ok(check, text string) []Finding           { return []Finding{{check, OK, text, ""}} }
func skipped(check, text string) []Finding      { return []Finding{{check, Skipped, text, ""}} }
func warning(check, text, fix string) []Finding { return []Finding{{check, Warning, text, fix}} }
func failure(check, text, fix string) []Finding { return []Finding{{check, Failure, text, fix}} }
