// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/discovery"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// sameTopic reports whether a writer and a reader have the same topic, type and kind (keyed or not).
func sameTopic(a, b *wire.EndpointData) bool {
	return a.Topic == b.Topic && a.Type == b.Type && a.GUID.Entity.IsKeyed() == b.GUID.Entity.IsKeyed()
}

// incompatible returns the policies that prevent a match. Different partitions prevent it silently, without an
// incompatible-QoS event (DDS 1.4 2.2.3.13).
func incompatible(writer, reader *wire.EndpointData) (policies []wire.PolicyID, silent bool) {
	_, policies = wire.Compatible(&writer.QoS, &reader.QoS)
	return policies, len(policies) == 1 && policies[0] == wire.PolicyPartition
}

// matchEndpoint matches a remote endpoint with the local ones on its topic.
func (p *Participant) matchEndpoint(ep *discovery.Endpoint, now time.Time) {
	if ep.Data().IsWriter() {
		for _, r := range p.topics.on(ep.Data().Topic).readers {
			p.matchReader(r, ep, now)
		}
		return
	}
	for _, w := range p.topics.on(ep.Data().Topic).writers {
		p.matchWriter(w, ep, now)
	}
}

// remoteOf returns the participant of a remote endpoint.
func (p *Participant) remoteOf(ep *discovery.Endpoint) *remoteParticipant {
	return p.remotes[ep.Participant().Prefix()]
}

// matchWriter matches a local writer with a remote reader if they are compatible.
func (p *Participant) matchWriter(w *Writer, ep *discovery.Endpoint, now time.Time) {
	own := w.data()
	if !sameTopic(own, ep.Data()) {
		return
	}
	if policies, silent := incompatible(own, ep.Data()); len(policies) > 0 {
		if !silent {
			p.reportIncompatible(w.cfg.OnMatch, w.Matched(), w.guid, ep.Data(), policies)
		}
		return
	}
	if p.secure != nil && (w.reader(ep.Data().GUID) != nil || !p.secure.mayMatch(w.guid.Entity, own, ep.Data(), now)) {
		return
	}
	w.addReader(&readerProxy{remote: p.remoteOf(ep), guid: ep.Data().GUID, data: ep.Data(), dest: p.directory.DestinationOf(ep)}, now)
}

// matchReader matches a local reader with a remote writer if they are compatible.
func (p *Participant) matchReader(r *Reader, ep *discovery.Endpoint, now time.Time) {
	own := r.data()
	if !sameTopic(own, ep.Data()) {
		return
	}
	if policies, silent := incompatible(ep.Data(), own); len(policies) > 0 {
		if !silent {
			p.reportIncompatible(r.cfg.OnMatch, r.Matched(), r.guid, ep.Data(), policies)
		}
		return
	}
	if p.secure != nil && (r.writer(ep.Data().GUID) != nil || !p.secure.mayMatch(r.guid.Entity, own, ep.Data(), now)) {
		return
	}
	r.addWriter(newWriterProxy(r, p.remoteOf(ep), ep.Data().GUID, ep.Data(), p.directory.DestinationOf(ep)), now)
}

// matchLocal matches a local writer with a local reader if they are compatible.
func (p *Participant) matchLocal(w *Writer, r *Reader, now time.Time) {
	wd, rd := w.data(), r.data()
	if !sameTopic(wd, rd) {
		return
	}
	if policies, silent := incompatible(wd, rd); len(policies) > 0 {
		if !silent {
			p.reportIncompatible(w.cfg.OnMatch, w.Matched(), w.guid, rd, policies)
			p.reportIncompatible(r.cfg.OnMatch, r.Matched(), r.guid, wd, policies)
		}
		return
	}
	r.locals = append(r.locals, w)
	r.changed(Matched, wd)
	r.localLiveliness(w, 1)
	w.addReader(&readerProxy{local: r, guid: rd.GUID, data: rd}, now)
}

// reportIncompatible reports and logs the incompatible QoS policies of two endpoints.
func (p *Participant) reportIncompatible(f func(int, MatchEvent), n int, local wire.GUID, remote *wire.EndpointData, policies []wire.PolicyID) {
	p.log.Warn("incompatible QoS: no data will flow", "topic", remote.Topic, "type", remote.Type, "local", local, "remote", remote.GUID,
		"vendor", remote.Vendor, "policies", policies)
	p.queueMatch(f, n, MatchEvent{Kind: Incompatible, Local: local, Remote: remote.GUID, RemoteData: remote, Policies: policies})
}

// queueMatch queues a call of an OnMatch function.
func (p *Participant) queueMatch(f func(int, MatchEvent), n int, ev MatchEvent) {
	if f != nil {
		p.calls.add(func() { f(n, ev) })
	}
}
