// SPDX-License-Identifier: Apache-2.0

package rtps

import "github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"

// StatusKind tells what the supervision of an endpoint found (DDS 1.4, 2.2.4.1).
type StatusKind uint8

const (
	// OfferedDeadlineMissed means that nothing was written for the deadline that the writer offers.
	OfferedDeadlineMissed StatusKind = iota
	// RequestedDeadlineMissed means that nothing came for the deadline that the reader asks for.
	RequestedDeadlineMissed
	// LivelinessLost means that a writer whose liveliness is asserted by hand was silent for its lease.
	LivelinessLost
	// LivelinessChanged means that a matched writer came, went, fell silent for its lease or was heard again.
	LivelinessChanged
	// SampleLost means that samples of a matched writer will never come.
	SampleLost
)

// String names the kind in logs.
func (k StatusKind) String() string {
	switch k {
	case OfferedDeadlineMissed:
		return "offered deadline missed"
	case RequestedDeadlineMissed:
		return "requested deadline missed"
	case LivelinessLost:
		return "liveliness lost"
	case LivelinessChanged:
		return "liveliness changed"
	default:
		return "sample lost"
	}
}

// StatusEvent is one finding about an endpoint.
type StatusEvent struct {
	// Kind is what happened.
	Kind StatusKind
	// Local is the endpoint, Remote the writer concerned of LivelinessChanged and SampleLost.
	Local, Remote wire.GUID
	// Total is how often it happened to the endpoint, of SampleLost how many samples; Change how often since the last
	// event.
	Total, Change int
	// Alive and NotAlive are the matched writers of each kind now, AliveChange and NotAliveChange what this event made
	// of them. They are set for LivelinessChanged only.
	Alive, NotAlive, AliveChange, NotAliveChange int
}

// tally counts one kind of status of an endpoint. Guarded by Participant.mu.
type tally struct{ total, told int }

// report makes the call of an OnStatus function due. One that does not keep up is told of several findings at once.
func (p *Participant) report(f func(StatusEvent), t *tally, n int, ev StatusEvent, topic string) {
	t.total += n
	if f == nil || len(p.queue) >= maxQueued {
		return
	}
	p.log.Debug(ev.Kind.String(), "topic", topic, "endpoint", ev.Local, "total", t.total)
	ev.Total, ev.Change = t.total, t.total-t.told
	t.told = t.total
	p.queue = append(p.queue, delivery{other: func() { f(ev) }})
}

// lost counts samples that will never come.
func (r *Reader) lost(writer wire.GUID, n int64) {
	if n <= 0 {
		return
	}
	r.p.stats.SamplesLost += uint64(n)
	if r.builtin == nil {
		r.p.report(r.cfg.OnStatus, &r.losses, int(min(n, 1<<30)), StatusEvent{Kind: SampleLost, Local: r.guid, Remote: writer}, r.cfg.Topic)
	}
}
