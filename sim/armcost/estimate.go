// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// The parameters that the counted events are multiplied with; other events cost nothing of their own.
var perEvent = map[string]string{
	"cycles": "pipeline", "fetch_misses": "fetch_miss", "load_misses": "load_miss", "store_misses": "store_miss",
	"write_backs": "write_back", "outer_misses": "outer_miss", "micro_misses": "micro_miss", "tlb_misses": "tlb_miss", "folded": "branch_folded", "predicted": "branch_predicted",
	"taken": "branch_taken", "mispredicted": "branch_mispredicted", "returned": "branch_returned", "jumped": "branch_jumped",
	"loaded_pc": "branch_loaded", "helpers": "kernel_helper", "pages": "kernel_page",
}

// Numbers of ARM Linux' system calls that cost something else than others.
const (
	SysNanosleep    = 162
	sysPoll         = 168
	SysFutex        = 240
	sysEpollWait    = 252
	SysClock        = 263
	SysSendto       = 290
	SysSend         = 289
	sysRecv         = 291
	sysRecvfrom     = 292
	sysSendmsg      = 296
	sysRecvmsg      = 297
	sysPselect      = 335
	sysPpoll        = 336
	SysEpollPwait   = 346
	sysRecvmmsg     = 365
	SysSendmmsg     = 374
	SysClock64      = 403
	SysNanosleep64  = 407
	SysFutex64      = 422
	callsOfTheClock = "kernel_clock"
)

var perCall = map[int]string{
	SysClock: callsOfTheClock, SysClock64: callsOfTheClock,
	SysNanosleep: "kernel_wait", sysPoll: "kernel_wait", SysFutex: "kernel_wait", sysEpollWait: "kernel_wait", sysPselect: "kernel_wait",
	sysPpoll: "kernel_wait", SysEpollPwait: "kernel_wait", SysNanosleep64: "kernel_wait", SysFutex64: "kernel_wait",
	SysSend: "kernel_datagram", sysRecv: "kernel_datagram", SysSendto: "kernel_datagram", sysRecvfrom: "kernel_datagram", sysSendmsg: "kernel_datagram", sysRecvmsg: "kernel_datagram",
	sysRecvmmsg: "kernel_datagram", SysSendmmsg: "kernel_datagram",
}

// Part is what one parameter adds to an estimate.
type Part struct {
	Parameter string   `json:"parameter"`
	Times     float64  `json:"times"`
	Cycles    Interval `json:"cycles"`
}

// Estimate is what a program costs the robot's core.
type Estimate struct {
	Instructions float64  `json:"instructions"`
	Cycles       Interval `json:"cycles"` // of the program and of the kernel for it
	Kernel       Interval `json:"kernel_cycles"`
	Seconds      Interval `json:"seconds"` // of the core
	// Parts are the costs by parameter; those whose range makes the interval widest come first.
	Parts []Part `json:"parts"`
}

// Of multiplies what was counted with the parameters.
func (p Parameters) Of(c Counts) Estimate {
	times := map[string]float64{}
	for event, name := range perEvent {
		times[name] += c.Events[event]
	}
	for number, n := range c.Calls {
		times[cmp.Or(perCall[number], "kernel_call")] += n
	}
	e := Estimate{Instructions: c.Events["instructions"]}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		if times[name] == 0 {
			continue
		}
		part := Part{name, times[name], p.Parameters[name].Times(times[name])}
		e.Parts = append(e.Parts, part)
		e.Cycles = e.Cycles.Plus(part.Cycles)
		if kernel(name) {
			e.Kernel = e.Kernel.Plus(part.Cycles)
		}
	}
	slices.SortStableFunc(e.Parts, func(a, b Part) int {
		return cmp.Compare(b.Cycles.High-b.Cycles.Low, a.Cycles.High-a.Cycles.Low)
	})
	core := p.Parameters["core"]
	e.Seconds = Interval{e.Cycles.Low / core.High, e.Cycles.Likely / core.Likely, e.Cycles.High / core.Low}
	return e
}

func kernel(name string) bool { return len(name) > 6 && name[:6] == "kernel" }

// Share is the part of the core that an estimate takes in a time, in seconds.
func (e Estimate) Share(seconds float64) Interval { return e.Seconds.Times(1 / seconds) }

// sixteenths is how fine the time of a simulated core is counted: sixteenths of a cycle.
const sixteenths = 16

// Events are what the plugin counts, in its order: those of plugin/events.h.
func Events() []string {
	return []string{
		"instructions", "cycles", "loads", "stores", "fetch_misses", "load_misses", "store_misses", "write_backs",
		"outer_misses", "micro_misses", "tlb_misses",
		"pages", "folded", "predicted", "taken", "mispredicted", "returned", "jumped", "loaded_pc", "helpers",
		"sent",
	}
}

// Costs are the likely costs of events, in the order of Events, and of the first n system calls by number, in
// sixteenths of a cycle: what simulated time is made of.
func (p Parameters) Costs(n int) (events, calls []uint32) {
	cost := func(name string) uint32 { return uint32(math.Round(p.Parameters[name].Likely * sixteenths)) }
	for _, name := range Events() {
		events = append(events, cost(perEvent[name]))
	}
	for number := range n {
		calls = append(calls, cost(cmp.Or(perCall[number], "kernel_call")))
	}
	return events, calls
}
