// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"reflect"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// onEndpointSample takes an announcement or disposal of a remote endpoint.
func (p *Participant) onEndpointSample(w *writerProxy, info *sampleInfo, payload []byte) {
	if info.kind != wire.PayloadData || info.status.Gone() {
		p.onEndpointDisposal(w, info, payload)
		return
	}
	var data wire.EndpointData
	var err error
	if w.r == p.builtins[0].reader {
		data, err = wire.DecodePublication(payload)
	} else {
		data, err = wire.DecodeSubscription(payload)
	}
	now := p.in.now
	isWriter := w.r == p.builtins[0].reader
	if err != nil || data.GUID.Prefix != w.remote.prefix || data.IsWriter() != isWriter || data.GUID.Entity.IsBuiltin() {
		p.drop(DropEndpointMalformed)
		p.complain(now, "endpoint announcement refused", "participant", w.remote.prefix, "guid", data.GUID, "error", err)
		return
	}
	if data.Vendor == wire.VendorUnknown {
		data.Vendor = w.remote.data.Vendor
	}
	p.takeEndpoint(w.remote, &data, now)
}

// takeEndpoint adds or updates a remote endpoint.
func (p *Participant) takeEndpoint(r *remoteParticipant, data *wire.EndpointData, now time.Time) {
	ep := r.endpoints[data.GUID.Entity]
	size := sizeOf(data)
	switch {
	case ep == nil && !p.takeRoom(r, size, now):
	case ep == nil:
		ep = &remoteEndpoint{owner: r, data: data}
		r.endpoints[data.GUID.Entity] = ep
		p.emit(DiscoveryEvent{Kind: EndpointFound, Participant: r.data, Endpoint: data})
		p.matchEndpoint(ep, now)
	case reflect.DeepEqual(ep.data, data):
	case size > sizeOf(ep.data) && !p.takeRoom(r, size-sizeOf(ep.data), now):
	default:
		if before := sizeOf(ep.data); before > size {
			p.giveRoom(r, before-size)
		}
		rematch := needsRematch(ep.data, data)
		if rematch {
			p.unmatchEndpoint(ep)
		}
		ep.data = data
		p.emit(DiscoveryEvent{Kind: EndpointChanged, Participant: r.data, Endpoint: data})
		if rematch {
			p.matchEndpoint(ep, now)
		}
	}
}

// needsRematch reports whether an update changes more than the user data.
func needsRematch(a, b *wire.EndpointData) bool {
	c := *a
	c.UserData, c.EntityName = b.UserData, b.EntityName
	return !reflect.DeepEqual(&c, b)
}

// onEndpointDisposal takes the disposal of a remote endpoint, which only its own participant may send, from an address
// of its own.
func (p *Participant) onEndpointDisposal(w *writerProxy, info *sampleInfo, payload []byte) {
	guid := info.key
	if guid.IsZero() {
		d := wire.Data{Writer: w.guid.Entity, Kind: info.kind, Payload: payload}
		guid, _ = wire.BuiltinKey(&d)
	}
	ep := w.remote.endpoints[guid.Entity]
	if guid.Prefix != w.remote.prefix || !w.remote.knows(p.in.from.Addr()) {
		p.drop(DropDisposal)
		p.complain(p.in.now, "endpoint disposal refused", "endpoint", guid, "from", p.in.from)
		return
	}
	if ep != nil {
		delete(w.remote.endpoints, guid.Entity)
		p.removeEndpoint(ep)
	}
}

// removeEndpoint ends the matches of a remote endpoint that is gone.
func (p *Participant) removeEndpoint(ep *remoteEndpoint) {
	p.giveRoom(ep.owner, sizeOf(ep.data))
	p.unmatchEndpoint(ep)
	p.emit(DiscoveryEvent{Kind: EndpointGone, Participant: ep.owner.data, Endpoint: ep.data})
}
