// SPDX-License-Identifier: Apache-2.0

package rtps

import "github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"

// StatusKind is the kind of a communication status (DDS 1.4, 2.2.4.1).
type StatusKind uint8

const (
	// OfferedDeadlineMissed means that nothing was written within the deadline that the writer offers.
	OfferedDeadlineMissed StatusKind = iota
	// RequestedDeadlineMissed means that nothing was received within the deadline that the reader requests.
	RequestedDeadlineMissed
	// LivelinessLost means that a local writer with manual liveliness did not assert it within its lease.
	LivelinessLost
	// LivelinessChanged means that a writer was matched or unmatched, or a matched writer became alive or not alive.
	LivelinessChanged
	// SampleLost means that samples of a matched writer will not be received.
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

// StatusEvent is a change of one status of an endpoint.
type StatusEvent struct {
	// Kind is what happened.
	Kind StatusKind
	// Local is the endpoint; Remote is the writer concerned, for LivelinessChanged and SampleLost.
	Local, Remote wire.GUID
	// Total is how often it happened to the endpoint, for SampleLost the number of samples; Change is the increase
	// since the last event.
	Total, Change int
	// Alive and NotAlive are the numbers of matched writers of each kind, AliveChange and NotAliveChange the changes by
	// this event. They are set for LivelinessChanged only.
	Alive, NotAlive, AliveChange, NotAliveChange int
}

// statusCount counts the events of one status of an endpoint. Guarded by Participant.mu.
type statusCount struct{ total, reported int }

// report queues a call of an OnStatus function. If the function does not keep up, several changes are combined.
func (p *Participant) report(f func(StatusEvent), t *statusCount, n int, ev StatusEvent, topic string) {
	t.total += n
	if f == nil || p.calls.full() {
		return
	}
	p.log.Debug(ev.Kind.String(), "topic", topic, "endpoint", ev.Local, "total", t.total)
	ev.Total, ev.Change = t.total, t.total-t.reported
	t.reported = t.total
	p.calls.add(func() { f(ev) })
}

// lost counts samples that will not be received.
func (r *Reader) lost(writer wire.GUID, n int64) {
	if n <= 0 {
		return
	}
	r.p.stats.SamplesLost += uint64(n)
	if r.builtin == nil {
		r.p.report(r.cfg.OnStatus, &r.losses, int(min(n, 1<<30)), StatusEvent{Kind: SampleLost, Local: r.guid, Remote: writer}, r.cfg.Topic)
	}
}
