// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"reflect"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// OnEndpoint handles an announcement or disposal of an endpoint of participant r: a sample of its discovery writer.
func (d *Directory) OnEndpoint(r *Participant, in *Arrival, writer wire.EntityID, info *reassembly.Info, payload []byte) {
	if info.Kind != wire.PayloadData || info.Status.Gone() {
		d.onEndpointDisposal(r, in, writer, info, payload)
		return
	}
	isWriter := writer == wire.EntityPublicationsWriter || writer == wire.EntityPublicationsSecureWriter
	decode := wire.DecodeSubscription
	if isWriter {
		decode = wire.DecodePublication
	}
	data, err := decode(payload)
	if err != nil || data.GUID.Prefix != r.prefix || data.IsWriter() != isWriter || data.GUID.Entity.IsBuiltin() {
		d.drops.EndpointMalformed++
		d.host.LogRejected(in.Now, "endpoint announcement rejected", "participant", r.prefix, "guid", data.GUID, "error", err)
		return
	}
	if d.refuses(r, in, &data, writer) {
		return
	}
	if data.Vendor == wire.VendorUnknown {
		data.Vendor = r.data.Vendor
	}
	d.shareTexts(&data)
	d.takeEndpoint(r, &data, in.Now)
}

// refuses reports whether the announcement or disposal of an endpoint is not accepted from a writer, and logs why.
func (d *Directory) refuses(r *Participant, in *Arrival, data *wire.EndpointData, writer wire.EntityID) bool {
	if d.cfg.Accept == nil {
		return false
	}
	err := d.cfg.Accept(r, data, writer)
	if err != nil {
		d.host.LogRejected(in.Now, "endpoint refused", "topic", data.Topic, "participant", r.prefix, "error", err)
	}
	return err != nil
}

// shareTexts replaces texts and QoS that an endpoint has in common with others with shared copies.
func (d *Directory) shareTexts(data *wire.EndpointData) {
	data.Type, data.UserData = d.cfg.Texts.String(data.Type), d.cfg.Texts.Bytes(data.UserData)
	if e := d.topics[data.Topic]; e != nil {
		data.Topic = e.data.Topic
	}
}

// takeEndpoint adds or updates a remote endpoint.
func (d *Directory) takeEndpoint(r *Participant, data *wire.EndpointData, now time.Time) {
	ep := r.endpoints[data.GUID.Entity]
	size := sizeOf(data)
	switch {
	case ep == nil && !d.reserve(r, size, now):
	case ep == nil:
		ep = &Endpoint{owner: r, data: data}
		r.endpoints[data.GUID.Entity] = ep
		d.link(ep)
		d.host.EndpointFound(ep, now)
	case reflect.DeepEqual(ep.data, data):
	case size > sizeOf(ep.data) && !d.reserve(r, size-sizeOf(ep.data), now):
	default:
		if before := sizeOf(ep.data); before > size {
			d.release(r, before-size)
		}
		rematch := needsRematch(ep.data, data)
		d.unlink(ep)
		ep.data = data
		d.link(ep)
		d.host.EndpointChanged(ep, rematch, now)
	}
}

// needsRematch reports whether an update changes more than the user data.
func needsRematch(a, b *wire.EndpointData) bool {
	c := *a
	c.UserData, c.EntityName = b.UserData, b.EntityName
	return !reflect.DeepEqual(&c, b)
}

// onEndpointDisposal handles the disposal of a remote endpoint, which only its own participant may send, from one of
// its addresses.
func (d *Directory) onEndpointDisposal(r *Participant, in *Arrival, writer wire.EntityID, info *reassembly.Info, payload []byte) {
	guid := info.Key
	if guid.IsZero() {
		m := wire.Data{Writer: writer, Kind: info.Kind, Payload: payload}
		guid, _ = wire.BuiltinKey(&m)
	}
	if guid.Prefix != r.prefix || !r.ownsAddress(in.From.Addr()) {
		d.drops.Disposal++
		d.host.LogRejected(in.Now, "endpoint disposal rejected", "endpoint", guid, "from", in.From)
		return
	}
	if ep := r.endpoints[guid.Entity]; ep != nil && !d.refuses(r, in, ep.data, writer) {
		delete(r.endpoints, guid.Entity)
		d.removeEndpoint(ep)
	}
}

// removeEndpoint deletes a remote endpoint.
func (d *Directory) removeEndpoint(ep *Endpoint) {
	d.release(ep.owner, sizeOf(ep.data))
	d.unlink(ep)
	d.host.EndpointGone(ep)
}
