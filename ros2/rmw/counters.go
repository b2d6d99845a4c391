// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

var _ ros2.CountingTransport = (*Transport)(nil)

// counter describes one counter of the transport, computed from the participant's.
type counter struct {
	name, meaning string
	kind          ros2.CounterKind
	value         func(s *rtps.Stats) uint64
}

// counters returns the description of all counters, in order.
func counters() []counter {
	list := []counter{
		{"datagrams sent", "UDP datagrams sent", ros2.CountDone, func(s *rtps.Stats) uint64 { return s.DatagramsSent }},
		{"bytes sent", "their payload bytes", ros2.CountDone, func(s *rtps.Stats) uint64 { return s.BytesSent }},
		{"datagrams received", "UDP datagrams received", ros2.CountDone, func(s *rtps.Stats) uint64 { return s.DatagramsReceived }},
		{"bytes received", "their payload bytes", ros2.CountDone, func(s *rtps.Stats) uint64 { return s.BytesReceived }},
		{"socket full", "how often the socket buffer was full; the datagrams are sent later", ros2.CountDone,
			func(s *rtps.Stats) uint64 { return s.SendBusy }},
		{"samples sent again", "samples resent on a reader's request", ros2.CountDone, func(s *rtps.Stats) uint64 { return s.SamplesResent }},
		{"fragments sent again", "fragments of large samples resent on a reader's request", ros2.CountDone,
			func(s *rtps.Stats) uint64 { return s.FragmentsResent }},
		{"repairs deferred", "how often such requests waited for their share of the send rate", ros2.CountDone,
			func(s *rtps.Stats) uint64 { return s.RepairsDeferred }},
		{"samples dropped for slow readers", "samples of local keep-all publishers dropped because a subscription was too slow", ros2.CountDropped,
			func(s *rtps.Stats) uint64 { return s.SamplesAbandoned }},
		{"samples lost", "samples of remote publishers that did not arrive", ros2.CountDropped, func(s *rtps.Stats) uint64 { return s.SamplesLost }},
		{"leases expired", "remote participants removed because their lease expired", ros2.CountDropped, func(s *rtps.Stats) uint64 { return s.LeasesExpired }},
		{"participants", "known remote participants", ros2.CountDone, func(s *rtps.Stats) uint64 { return uint64(s.Participants) }},
		{"endpoints", "their publishers, subscriptions and service endpoints", ros2.CountDone, func(s *rtps.Stats) uint64 { return uint64(s.Endpoints) }},
		{"bytes held", "bytes of remote samples that are incomplete or out of order", ros2.CountDone,
			func(s *rtps.Stats) uint64 { return uint64(s.HeldBytes) }},
		{"bytes of histories", "bytes of local samples kept for subscriptions", ros2.CountDone, func(s *rtps.Stats) uint64 { return uint64(s.HistoryBytes) }},
	}
	var none rtps.Drops
	for reason := range none.All() {
		list = append(list, counter{
			name: "dropped: " + strings.ReplaceAll(reason.String(), "_", " "), meaning: reason.Description(), kind: dropKind(reason),
			value: func(s *rtps.Stats) uint64 { return s.Dropped[reason] },
		})
	}
	return list
}

// dropKind returns the kind of a drop counter: whether it also rises on a healthy network.
func dropKind(r rtps.DropReason) ros2.CounterKind {
	refused := []rtps.DropReason{
		rtps.DropMalformed, rtps.DropOrigin, rtps.DropInlineQoS, rtps.DropLivelinessMessage, rtps.DropSampleMemory, rtps.DropFragmentMemory,
		rtps.DropFragmentContradiction, rtps.DropGap, rtps.DropParticipantMalformed, rtps.DropParticipantSource, rtps.DropEndpointMalformed, rtps.DropDisposal,
	}
	switch {
	case slices.Contains(refused, r):
		return ros2.CountRefused
	case r == rtps.DropSendOverflow || r == rtps.DropSendError || r == rtps.DropShared:
		return ros2.CountCongested
	case r == rtps.DropParticipantLimit || r == rtps.DropEndpointLimit:
		return ros2.CountCrowded
	}
	return ros2.CountDropped
}

// Counters implements [ros2.CountingTransport].
func (t *Transport) Counters(dst []ros2.Counter) []ros2.Counter {
	t.countMu.Lock()
	defer t.countMu.Unlock()
	t.stats = t.participant.Stats()
	for i := range t.counters {
		c := &t.counters[i]
		dst = append(dst, ros2.Counter{Name: c.name, Kind: c.kind, Value: c.value(&t.stats)})
	}
	return dst
}

// CounterMeaning describes a counter of the transport.
type CounterMeaning struct {
	Name, Meaning string
	Kind          ros2.CounterKind
}

// Counters describes the counters of a [Transport] in order.
func Counters() (list []CounterMeaning) {
	for _, c := range counters() {
		list = append(list, CounterMeaning{c.name, c.meaning, c.kind})
	}
	return list
}
