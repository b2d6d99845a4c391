// SPDX-License-Identifier: Apache-2.0

package health

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Severity is the severity of a health condition; the values are those of diagnostic_msgs/DiagnosticStatus.
type Severity uint8

// Values of Severity.
const (
	severityWarning = Severity(diagnostic_msgs.DiagnosticStatusWarn)
	severityError   = Severity(diagnostic_msgs.DiagnosticStatusError)
)

// String returns the severity as in the documentation's table.
func (s Severity) String() string {
	if s == severityError {
		return "error"
	}
	return "warning"
}

// Condition is one row of the table of health conditions: a fault of the robot that the driver can detect.
type Condition struct {
	// Code identifies the condition, for programs and for DependsOn.
	Code string
	// Status is the entry of /diagnostics that shows it.
	Status string
	// Severity is the level of the entry while it holds.
	Severity Severity
	// Text describes the fault and what to do.
	Text string
	// DependsOn lists conditions that cause this one: while one of them holds it is not raised.
	DependsOn []string

	holds func(v *vitals) bool
}

// Names of the entries of /diagnostics. Those of parts are the parts' names.
const (
	StatusLoop     = "control loop"
	StatusNetwork  = "network"
	statusSecurity = "security"
	StatusRobotBus = "robot bus"
	StatusBoardBus = "board bus"
	StatusMCU      = "main processor"
	StatusCamera   = string(parts.Pictures)
)

// hostileRate is the rate of refusals, 1/s, above which they are not accidental.
const hostileRate = 10

const (
	codeBusGone = "robot_bus.gone"
	CodeLost    = "mcu.lost"
)

// Conditions returns the table of health conditions, the only place that defines them. The caller owns the slice.
func Conditions() []Condition {
	table := []Condition{
		{codeBusGone, StatusRobotBus, severityError, "the I2C bus can't be used: check that its device file exists and may be opened", nil,
			func(v *vitals) bool { return v.now.Robot.Diagnosis.Health == mcu.HealthGone }},
		{"robot_bus.errors", StatusRobotBus, severityWarning, "more than 5 % of the transactions fail: check the Pi-puck's connector",
			[]string{CodeLost}, func(v *vitals) bool { return failing(&v.now.Robot.Bus, &v.before.Robot.Bus) }},
		{CodeLost, StatusMCU, severityError, "the robot does not answer; commands are ignored until it does", []string{codeBusGone},
			func(v *vitals) bool { return v.now.Robot.Lost }},
		{"mcu.selector", StatusMCU, severityWarning, "the selector is not at 10 (A), over Wi-Fi at 15 (F): the robot will not answer after its next start",
			[]string{CodeLost}, func(v *vitals) bool { return v.now.Robot.Diagnosis.Health == mcu.HealthSelector }},
		{"mcu.values", StatusMCU, severityWarning, "the robot sends values that its sensors can't measure; they are refused, the other values are used: see the advice",
			[]string{CodeLost}, func(v *vitals) bool { return v.now.Robot.Bus.Refused > v.before.Robot.Bus.Refused }},
		{"mcu.sun", StatusMCU, severityWarning, "all eight infrared sensors read full light: in direct sun they see no obstacles",
			[]string{CodeLost}, func(v *vitals) bool { return v.now.Robot.Diagnosis.Health == mcu.HealthBlinded }},
		{"loop.overrun", StatusLoop, severityWarning, "control cycles were skipped because one took too long: lower the rates",
			[]string{CodeLost}, func(v *vitals) bool { return v.now.Robot.Overruns > v.before.Robot.Overruns }},
		{"loop.no_timeout", StatusLoop, severityWarning,
			"cmd_vel_timeout is 0: the wheels keep the last command when commands end, also when the network fails", nil,
			func(v *vitals) bool { return v.now.Robot.NoTimeout }},
		{"loop.thread", StatusLoop, severityWarning,
			"the system refuses the priority, the processors or the locked memory that the parameters request: the value names the missing capability",
			nil, func(v *vitals) bool { return v.now.Robot.ThreadErr != nil }},
		{"network.same_name", StatusNetwork, severityWarning,
			"another node has the same name: commands such as cmd_vel go to both, give each robot a namespace", nil,
			func(v *vitals) bool { return v.now.Robot.SameName > 0 }},
		{"network.refused", StatusNetwork, severityWarning, "messages could not be published", nil,
			func(v *vitals) bool { return v.now.Robot.Unpublished > v.before.Robot.Unpublished }},
		{"network.hostile", StatusNetwork, severityWarning, "the network delivers messages that must be refused: malformed, forged or too many; see the counters", nil,
			func(v *vitals) bool { return v.perSecond(v.risen(ros2.CountRefused), 0) >= hostileRate }},
		{"network.crowded", StatusNetwork, severityWarning,
			"more nodes are on the network than the transport's limits allow, some are not seen: raise RTPS_MAX_PARTICIPANTS or RTPS_DISCOVERY_MEMORY", nil,
			func(v *vitals) bool { return v.risen(ros2.CountCrowded) > 0 }},
		{"network.congested", StatusNetwork, severityWarning, "the network takes less than is sent: subscribe to less, or lower the rates", nil,
			func(v *vitals) bool { return v.risen(ros2.CountCongested) > 0 }},
		{"security.off", statusSecurity, severityError, "security was requested and the keys cannot be used: anyone on the network can drive the robot", nil,
			func(v *vitals) bool { return v.now.Security.Requested && !v.now.Security.Active }},
		{"security.refused", statusSecurity, severityWarning, "programs without valid keys or permissions, or their messages, are refused: see the last refusal", nil,
			func(v *vitals) bool { return v.refusals() > 0 }},
	}
	for _, name := range []parts.Name{parts.IMU, parts.ToF, parts.Ground, parts.Camera, parts.IMUField, parts.LEDs, parts.Mag, parts.Battery} {
		table = append(table, partConditions(name)...)
	}
	return slices.Concat(table, groundConditions(), batteryConditions(), cameraConditions())
}

// partConditions returns the conditions of any optional part. A part that was never found is not a condition.
func partConditions(name parts.Name) []Condition {
	needs := []string{codeBusGone, CodeLost}
	if slices.Contains([]parts.Name{parts.LEDs, parts.Mag, parts.Battery}, name) {
		needs = nil // the board has its own bus and power
	}
	status := string(name)
	lost := status + ".lost"
	return []Condition{
		{lost, status, severityError, "it was present and does not answer any more", needs,
			func(v *vitals) bool { p, _ := v.part(name); return p.Found > 0 && p.State == device.Absent }},
		{status + ".failing", status, severityWarning, "more than a tenth of its polls fail", append([]string{lost}, needs...),
			func(v *vitals) bool {
				p, before := v.part(name)
				return p.State == device.Running && (p.Failures-before.Failures)*10 > p.Polls-before.Polls
			}},
		{status + ".slow", status, severityWarning, "it occupies the bus too long and is polled less often", append([]string{lost}, needs...),
			func(v *vitals) bool {
				p, _ := v.part(name)
				return p.State == device.Running && p.Took > parts.PollBudget
			}},
	}
}

func groundConditions() []Condition {
	status := string(parts.Ground)
	return []Condition{{status + ".dark", status, severityWarning,
		"the ground sensors measure nothing, no floor and no light: the robot is over an edge or is lifted, or their board is broken",
		[]string{codeBusGone, CodeLost, status + ".lost"},
		func(v *vitals) bool {
			p, _ := v.part(parts.Ground)
			return p.State == device.Running && v.now.Robot.NoFloor && v.before.Robot.NoFloor
		}}}
}

func batteryConditions() []Condition {
	status := string(parts.Battery)
	at := func(l battery.Level) func(v *vitals) bool {
		return func(v *vitals) bool { return v.now.Level == l }
	}
	return []Condition{
		{"battery.low", status, severityWarning, "charge the battery soon", nil, at(battery.LevelLow)},
		{"battery.very_low", status, severityWarning, "charge the battery now", nil, at(battery.LevelVeryLow)},
		{"battery.critical", status, severityError, "the battery is critical: the wheels are stopped until it is charged", nil,
			at(battery.LevelCritical)},
	}
}

// raised returns the conditions that hold and are not consequences of others that hold. It reuses the slice.
func raised(table []Condition, v *vitals, to []*Condition) []*Condition {
	to = to[:0]
	for i := range table {
		if table[i].holds(v) {
			to = append(to, &table[i])
		}
	}
	causes := len(to)
	for _, c := range to[:causes] {
		if !c.follows(to[:causes]) {
			to = append(to, c)
		}
	}
	n := copy(to, to[causes:])
	return to[:n]
}

// follows reports whether the condition is a consequence of one of those, whether or not that is a consequence
// itself.
func (c *Condition) follows(from []*Condition) bool {
	for _, cause := range from {
		if slices.Contains(c.DependsOn, cause.Code) {
			return true
		}
	}
	return false
}
