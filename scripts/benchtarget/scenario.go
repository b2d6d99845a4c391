// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// scenario is a measurement: a benchmark of cmd/epuck-driver with marks around the counted part.
type scenario struct {
	name      string
	benchmark string
	times     int     // iterations
	listener  bool    // another process subscribes to everything
	rate      float64 // times a second on the robot
	budget    float64 // share of the core; 0 is none
	baseline  bool    // the first mark of each pair is subtracted
	viewer    bool    // another process views everything on the page except pictures
	over      string  // scenario to subtract; more is the budget of the difference
	more      float64
	inTime    bool // the release's program on a simulated robot, in simulated time, instead of a benchmark
}

// pictures is the camera's frame rate, 1/s.
const pictures = 15

func scenarios() []scenario {
	list := []scenario{
		{name: "control cycle alone, no subscribers", benchmark: "BenchmarkTargetStep", times: 400, rate: 20, budget: 0.01},
		{name: "control cycle alone, every sensor topic to one remote reader", benchmark: "BenchmarkTargetStep", times: 400, listener: true, rate: 20, budget: 0.08},
		{name: "whole program at 20 Hz, no subscribers", inTime: true, rate: 20, budget: 0.01},
		{name: "whole program at 20 Hz, every sensor topic to one remote reader", benchmark: "BenchmarkTargetCycle", times: 200, listener: true, rate: 20, budget: 0.08},
		{name: "whole program at 20 Hz, no subscribers, all topics recorded", benchmark: "BenchmarkTargetRecord", times: 200, rate: 20},
		{name: "whole program at 20 Hz, every sensor topic to one remote reader and recorded", benchmark: "BenchmarkTargetRecord", times: 200, listener: true, rate: 20},
	}
	bare := scenario{name: "control cycle and a pause, no page", benchmark: "BenchmarkTargetWeb/none", times: 200, rate: 20}
	page := scenario{benchmark: "BenchmarkTargetWeb/page", times: 200, rate: 20, over: bare.name}
	idle, viewed := page, page
	idle.name, idle.more = "control cycle and a pause, page served, no viewer", 0.001
	viewed.name, viewed.more, viewed.viewer = "control cycle and a pause, a viewer of everything but pictures", 0.06, true
	list = append(list, bare, idle, viewed)
	for _, m := range []string{"nav.Odometry", "tf2.TFMessage", "sensor.LaserScan", "sensor.Range", "sensor.Imu", "sensor.Illuminance",
		"sensor.JointState", "sensor.MagneticField", "std.Int16", "std.UInt16MultiArray", "sensor.BatteryState", "diagnostic.DiagnosticArray",
		"sensor.CameraInfo", "sensor.CompressedImage", "sensor.Image"} {
		one := scenario{name: "one message " + m + " to one remote reader", benchmark: "BenchmarkTargetPublish/" + m, times: 100, listener: true, baseline: true}
		if strings.HasSuffix(m, "Image") {
			one.rate = pictures
		}
		list = append(list, one)
	}
	return append(list,
		scenario{name: "picture 640×480 to JPEG on the processor", benchmark: "BenchmarkTargetImage/jpeg", times: 5, rate: pictures},
		scenario{name: "picture 640×480 YUYV to rgb8", benchmark: "BenchmarkTargetImage/rgb8", times: 5, rate: pictures},
		scenario{name: "picture 640×480 YUYV to mono8", benchmark: "BenchmarkTargetImage/mono8", times: 5, rate: pictures},
	)
}

// named returns the scenario of a name.
func named(name string) scenario {
	all := scenarios()
	return all[slices.IndexFunc(all, func(s scenario) bool { return s.name == name })]
}

// difference returns the scenario of the difference to over.
func (s scenario) difference() scenario {
	return scenario{name: "… difference to without the page", rate: s.rate, budget: s.more}
}

// count is the count between two marks.
type count struct {
	times float64
	armcost.Counts
}

// per returns the count of one iteration.
func (c count) per() count { return count{1, c.Per(c.times)} }

// minus subtracts a baseline.
func (c count) minus(base count) count { return count{1, c.per().Minus(base.per().Counts)} }

const tableHead = `
| what | instructions | system calls | time on the robot | of the core | by two cycles | most of the range | budget |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

// row returns a line of the table. Times and shares include the kernel's part, with their ranges; a budget is kept if
// the likely value keeps it.
func (s scenario) row(c count, p armcost.Parameters) string {
	one := c.per()
	calls := 0.0
	for _, n := range one.Calls {
		calls += n
	}
	e := p.Of(one.Counts)
	share, simple, budget, widest := "–", "–", "–", "–"
	if s.rate > 0 {
		in := e.Share(1 / s.rate).Times(100)
		share = fmt.Sprintf("%.1f %% (%.1f … %.1f)", in.Likely, in.Low, in.High)
		simple = fmt.Sprintf("%.1f %%", 100*twoCycles(e, p)*s.rate)
	}
	if s.budget > 0 {
		budget = fmt.Sprintf("%g %%: %s", s.budget*100, verdict(e.Share(1/s.rate), s.budget))
	}
	if len(e.Parts) > 0 {
		widest = e.Parts[0].Parameter
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |\n",
		s.name, thousands(e.Instructions), busiest(one.Calls, calls), interval(e.Seconds), share, simple, widest, budget)
}

// twoCycles is the simple estimate without a cache model, in seconds: two cycles for each instruction, plus the
// kernel's part.
func twoCycles(e armcost.Estimate, p armcost.Parameters) float64 {
	return (2*e.Instructions + e.Kernel.Likely) / p.Parameters["core"].Likely
}

func verdict(share armcost.Interval, budget float64) string {
	switch {
	case share.Likely > budget:
		return "missed"
	case share.High > budget:
		return "kept with the likely costs"
	}
	return "kept"
}

func interval(seconds armcost.Interval) string {
	return fmt.Sprintf("%s (%s … %s)", duration(seconds.Likely), duration(seconds.Low), duration(seconds.High))
}

// busiest returns the number of system calls and the most frequent ones.
func busiest(calls map[int]float64, all float64) string {
	type row struct {
		name string
		n    float64
	}
	var rows []row
	for number, name := range map[int]string{
		armcost.SysClock: "clock", armcost.SysClock64: "clock", armcost.SysNanosleep: "sleep", armcost.SysFutex: "futex", armcost.SysFutex64: "futex",
		armcost.SysEpollPwait: "poll", armcost.SysSendmmsg: "send", armcost.SysSendto: "send",
	} {
		if n := calls[number]; n >= 1 {
			rows = append(rows, row{name, n})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.name, b.name)) })
	text := fmt.Sprintf("%.1f", all)
	if len(rows) > 0 {
		words := make([]string, 0, len(rows))
		for _, r := range rows[:min(3, len(rows))] {
			words = append(words, fmt.Sprintf("%s %.0f", r.name, r.n))
		}
		text += " (" + strings.Join(words, ", ") + ")"
	}
	return text
}

func thousands(n float64) string {
	if n >= 1e6 {
		return fmt.Sprintf("%.2f M", n/1e6)
	}
	return fmt.Sprintf("%.1f k", n/1e3)
}

func duration(seconds float64) string {
	if seconds >= 1e-3 {
		return fmt.Sprintf("%.1f ms", seconds*1e3)
	}
	return fmt.Sprintf("%.0f µs", seconds*1e6)
}
