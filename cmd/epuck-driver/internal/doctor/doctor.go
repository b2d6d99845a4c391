// SPDX-License-Identifier: Apache-2.0

// Package doctor examines the machine a robot's driver runs on: buses, chips, firmware, rights, kernel modules, camera,
// clock, disk, power, service and network. Each finding says what was seen, and each failure the command that mends it.
//
//	Machine (files, buses, sockets of this or of a made-up machine) ──► Examine ──► Report ──► text or JSON
//
// It knows the robot and Linux, not ROS: what the network reports is passed in. It changes nothing, except the
// robot itself: a request to its firmware stops the wheels.
package doctor

import "context"

// Status is the result of one check.
type Status uint8

// The results, in order of their weight.
const (
	// Skipped is a check that could not be made, and why is no fault by itself.
	Skipped Status = iota
	// OK is as it should be.
	OK
	// Warning is something that works and should be better, or a part that is missing without which the driver runs.
	Warning
	// Failure is something the driver can't work with.
	Failure
)

var statusNames = [...]string{"skipped", "ok", "warning", "failure"}

// String returns the result as the JSON report has it.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "unknown"
}

// MarshalText makes the name the JSON value.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is the result of one check.
type Finding struct {
	// Check names what was looked at, in two or three words.
	Check string `json:"check"`
	// Status is how it is.
	Status Status `json:"status"`
	// Text says what was seen, in a line.
	Text string `json:"text"`
	// Fix is a shell command or, where none does it, a sentence that says what to do. It is empty unless something is
	// amiss.
	Fix string `json:"fix,omitempty"`
}

// Report is what an examination found, in the order of the checks.
type Report struct {
	Findings []Finding `json:"findings"`
}

// Worst gives the heaviest status.
func (r Report) Worst() Status {
	worst := OK
	for _, f := range r.Findings {
		worst = max(worst, f.Status)
	}
	return worst
}

// Count gives the number of findings of a status.
func (r Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// check is one examination. It may give several findings.
type check func(context.Context, *Machine) []Finding

// checks gives all of them: from what the machine is, over what is soldered to it, to who is out there.
func checks() []check {
	return []check{
		checkModel, checkPower, checkMemory, checkDisk, checkClock,
		checkModules, checkRights, checkBus, checkFirmware, checkChips, checkBoard,
		checkCamera, checkEncoder,
		checkService, checkParameters, checkCalibration,
		checkInterfaces, checkLoopback, checkSockets, checkEnvironment, checkSecurity, checkNetwork,
	}
}

// Examine makes all checks. It ends early, with what it has, when ctx does.
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
