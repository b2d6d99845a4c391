// SPDX-License-Identifier: Apache-2.0

package health

import (
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// loop writes the status of the control loop.
func (r *Report) loop(t *textArena) {
	s, before := &r.vitals.now.Robot, &r.vitals.before.Robot
	t.status(StatusLoop, "runs", "")
	t.number("rate (Hz)", r.vitals.perSecond(s.Bus.Exchanges, before.Bus.Exchanges))
	t.number("rate wanted (Hz)", 1/max(s.Period.Seconds(), 1e-3))
	t.count("cycles left out", s.Overruns)
	t.millis("last cycle (ms)", s.Cycle)
	t.millis("longest cycle (ms)", s.Longest)
	if s.Thread != "" {
		t.word("thread", s.Thread)
		t.failure("refused by the system", s.ThreadErr)
	}
}

// network writes the status of what is published.
func (r *Report) network(t *textArena) {
	s, messages := &r.vitals.now.Robot, uint64(0)
	for _, topic := range s.Topics {
		messages += topic.Messages
	}
	t.status(StatusNetwork, "works", "")
	t.word("transport", r.transport)
	t.count("topics", uint64(len(s.Topics)))
	t.count("topics subscribed", uint64(s.Subscribed()))
	t.count("messages", messages)
	t.count("messages refused", s.Unpublished)
	for _, c := range r.vitals.now.Network {
		t.count(c.Name, c.Value)
	}
}

// security writes the status of the transport's security, if that was requested.
func (r *Report) security(t *textArena) {
	s := &r.vitals.now.Security
	if !s.Requested {
		return
	}
	t.status(statusSecurity, "works", s.Enclave)
	t.word("messages are protected", yesNo(s.Active))
	t.count("programs authenticated", uint64(s.Authenticated))
	t.count("programs refused", s.Programs)
	t.count("topics and services refused", s.Endpoints)
	t.count("messages refused", s.Messages)
	last := s.Last
	if last == "" {
		last = "none"
	}
	t.word("last refusal", last)
}

// buses writes a status for each bus.
func (r *Report) buses(t *textArena) {
	if r.vitals.now.HasBus {
		r.bus(t, StatusRobotBus, &r.vitals.now.Bus, &r.vitals.before.Bus)
	}
	if r.vitals.now.HasBoard {
		r.bus(t, StatusBoardBus, &r.vitals.now.Board, &r.vitals.before.Board)
	}
}

func (r *Report) bus(t *textArena, name string, now, before *i2c.Stats) {
	t.status(name, "works", "")
	t.count("transactions", now.Transactions)
	t.number("transactions per second", r.vitals.perSecond(now.Transactions, before.Transactions))
	t.number("load (%)", 100*(now.Busy-before.Busy).Seconds()/max(r.vitals.elapsed.Seconds(), 1e-3))
	t.millis("longest transaction (ms)", now.Longest)
	for kind := i2c.KindNone + 1; kind < i2c.NumKinds; kind++ {
		t.count(kind.String(), now.Errors[kind])
	}
	t.failure("last error", now.LastErr)
}

// processor writes the status of the robot's main processor.
func (r *Report) processor(t *textArena) {
	s := &r.vitals.now.Robot
	t.status(StatusMCU, "works", r.vitals.now.Processor)
	t.count("exchanges", s.Bus.Exchanges)
	t.count("exchanges failed", s.Bus.Failed)
	t.count("retries", s.Bus.Retries)
	t.count("bus errors", s.Bus.BusErrorTotal())
	t.count("bad checksums", s.Bus.Checksum)
	t.count("implausible replies", s.Bus.Implausible)
	t.count("impossible values refused", s.Bus.Refused)
	t.count("microphone values clipped", s.Bus.Clipped)
	t.count("restarts", s.Bus.Restarts)
	t.word("wheels listen", yesNo(s.WheelsListen))
	t.millis("last exchange (ms)", s.Exchange)
	t.failure("last error", s.Bus.LastErr)
	advice := s.Diagnosis.Text
	if advice == "" {
		advice = "none"
	}
	t.word("advice", advice)
}

// partMessages are the messages of a part without faults.
var partMessages = [...]string{
	device.Absent: "absent", device.Starting: "starting", device.Running: "works", device.Halted: "switched off",
}

// part writes the status of an optional part.
func (r *Report) part(t *textArena, p PartStatus) {
	before := r.vitals.before.Robot.Part(parts.Name(p.Name))
	t.status(p.Name, partMessages[min(int(p.State), len(partMessages)-1)], p.Device)
	t.count("readings", p.Readings)
	t.number("rate (Hz)", r.vitals.perSecond(p.Readings, before.Readings))
	t.count("polls", p.Polls)
	t.count("polls failed", p.Failures)
	t.count("found", p.Found)
	t.count("lost", p.Lost)
	t.millis("last poll (ms)", p.Took)
	t.millis("longest poll (ms)", p.Longest)
	t.number("bus time (%)", 100*(p.Busy-before.Busy).Seconds()/max(r.vitals.elapsed.Seconds(), 1e-3))
	if p.Found == 0 {
		p.LastErr = nil // an optional part that is absent is not a failure
	}
	t.failure("last error", p.LastErr)
	if p.Name == string(parts.Battery) {
		b := &r.vitals.now.Battery
		t.number("voltage (V)", b.Robot.Voltage)
		t.number("auxiliary voltage (V)", b.Aux.Voltage)
		t.number("charge (%)", 100*b.Robot.Charge)
		t.word("charger", b.Charging.String())
		t.word("level", r.vitals.now.Level.String())
	}
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
