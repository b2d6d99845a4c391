// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// DiscoveryKind is the kind of a discovery event.
type DiscoveryKind uint8

const (
	// ParticipantFound means that a remote participant was discovered.
	ParticipantFound DiscoveryKind = iota
	// participantGone means that it left or its lease expired. EndpointGone events of its endpoints come first.
	participantGone
	// participantChanged means that its announced data changed.
	participantChanged
	// EndpointFound means that a writer or reader of a remote participant was discovered, matching or not.
	EndpointFound
	// EndpointGone means that it was disposed or its participant is gone.
	EndpointGone
	// EndpointChanged means that its announced data changed.
	EndpointChanged
)

// String names the kind in logs.
func (k DiscoveryKind) String() string {
	return [...]string{"participant found", "participant gone", "participant changed",
		"endpoint found", "endpoint gone", "endpoint changed"}[k]
}

// DiscoveryEvent is one discovery event. The data are shared and must not be modified.
type DiscoveryEvent struct {
	// Kind is what happened.
	Kind DiscoveryKind
	// Participant is the participant concerned.
	Participant *wire.ParticipantData
	// Endpoint is the endpoint concerned, nil for the participant kinds.
	Endpoint *wire.EndpointData
}

// OnEndpoint sets the function that is called with discovery events, replacing an earlier one; nil removes it. Earlier
// discoveries are available from Participants and Endpoints. f must not block; while it does, events beyond 4096
// pending ones are dropped.
func (p *Participant) OnEndpoint(f func(DiscoveryEvent)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onEvent = f
}

// Participants returns the remote participants known now, ordered by GUID.
func (p *Participant) Participants() []*wire.ParticipantData {
	p.mu.Lock()
	list := make([]*wire.ParticipantData, 0, len(p.remotes))
	for r := range p.directory.Participants() {
		list = append(list, r.Data())
	}
	p.mu.Unlock() // a publisher does not wait for the sorting
	slices.SortFunc(list, func(a, b *wire.ParticipantData) int { return a.GUID.Compare(b.GUID) })
	return list
}

// Endpoints returns the writers and readers of remote participants known now, ordered by GUID.
func (p *Participant) Endpoints() []*wire.EndpointData {
	p.mu.Lock()
	var list []*wire.EndpointData
	for e := range p.directory.Endpoints() {
		list = append(list, e.Data())
	}
	p.mu.Unlock()
	slices.SortFunc(list, func(a, b *wire.EndpointData) int { return a.GUID.Compare(b.GUID) })
	return list
}

// EndpointsOn returns the known endpoints of remote participants on a topic.
func (p *Participant) EndpointsOn(topic string) []*wire.EndpointData {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*wire.EndpointData
	for e := range p.directory.EndpointsOn(topic) {
		list = append(list, e.Data())
	}
	return list
}

// emit queues a call of the discovery function.
func (p *Participant) emit(ev DiscoveryEvent) {
	switch {
	case p.onEvent == nil:
	case p.calls.full():
		p.drop(DropSampleQueue)
	default:
		f := p.onEvent
		p.calls.add(func() { f(ev) })
	}
}
