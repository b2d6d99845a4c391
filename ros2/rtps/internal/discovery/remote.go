// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Participant is a participant that was found.
type Participant struct {
	prefix        wire.GUIDPrefix
	data          *wire.ParticipantData // replaced, not changed
	payload       []byte                // as announced from source last
	source        netip.Addr            // where its announcements come from
	met           netip.Addr            // where the first one came from
	verified      bool                  // a submessage came from an address it announced, see Origin
	answered      bool                  // it has answered us, see crowd
	announced     time.Time             // last announcement from there
	meta          send.Destination      // of discovery traffic
	user          send.Destination      // of user traffic without an endpoint locator
	heard         time.Time             // last valid message
	lease         time.Duration
	toldAt        time.Time // last announcement sent to it alone
	tells         int       // those since it was last heard
	expiry        alarm.Alarm
	endpoints     map[wire.EntityID]*Endpoint
	endpointBytes int // they take
}

// Endpoint is a writer or reader of a participant that was found.
type Endpoint struct {
	owner          *Participant
	data           *wire.EndpointData // replaced, not changed
	next, previous *Endpoint          // on the same topic
}

// Prefix returns the name of the participant.
func (r *Participant) Prefix() wire.GUIDPrefix { return r.prefix }

// Data returns what the participant announced last. It must not be changed.
func (r *Participant) Data() *wire.ParticipantData { return r.data }

// Metatraffic returns where the participant's discovery endpoints are reached.
func (r *Participant) Metatraffic() send.Destination { return r.meta }

// Hear renews the participant's lease.
func (r *Participant) Hear(now time.Time) { r.heard = now }

// Heard returns when the participant was last heard.
func (r *Participant) Heard() time.Time { return r.heard }

// Endpoint returns the participant's writer or reader of this number, or nil.
func (r *Participant) Endpoint(e wire.EntityID) *Endpoint { return r.endpoints[e] }

// Participant returns whose endpoint it is.
func (e *Endpoint) Participant() *Participant { return e.owner }

// Data returns what was announced of the endpoint last. It must not be changed.
func (e *Endpoint) Data() *wire.EndpointData { return e.data }

// knows reports whether addr is an address of the participant: where it announces itself from, one of its locators, or
// loopback, from where only this machine can send.
func (r *Participant) knows(addr netip.Addr) bool {
	if addr == r.source || addr.IsLoopback() {
		return true
	}
	for _, list := range [][]wire.Locator{r.data.MetatrafficUnicast, r.data.DefaultUnicast} {
		for _, l := range list {
			if ap, ok := l.AddrPort(); ok && ap.Addr() == addr {
				return true
			}
		}
	}
	return false
}

// patience is how many times a participant is written to without an answer before each further time needs a new sign of
// life. It keeps a forged announcement from making us talk to a stranger for the whole lease it names.
const patience = 8

// Worthwhile reports whether to write to the participant again, after so many tries, the last one at the given time.
func (r *Participant) Worthwhile(tries int, last time.Time) bool {
	return tries < patience || r.heard.After(last)
}

// Bounds of the lease a peer may ask for: not so short that one lost announcement ends it, nor so long that it stays
// for ever.
const (
	minLease = 1 * time.Second
	maxLease = 5 * time.Minute
)

func clampLease(d wire.Duration) time.Duration {
	return min(max(d.Duration(), minLease), maxLease)
}

// addRemote takes a new participant in.
func (d *Directory) addRemote(r *Participant, now time.Time) {
	d.remotes[r.prefix] = r
	d.crowd.enter(r.met)
	r.expiry.Fire = func(now time.Time) { d.checkLease(r, now) }
	d.alarms.Set(&r.expiry, now.Add(r.lease))
	d.log.Debug("participant found", "prefix", r.prefix, "vendor", r.data.Vendor, "name", r.data.EntityName, "address", r.meta.To)
	d.host.ParticipantFound(r, now)
}

// checkLease drops the participant if nothing was heard of it for its lease.
func (d *Directory) checkLease(r *Participant, now time.Time) {
	if end := r.heard.Add(r.lease); end.After(now) {
		d.alarms.Set(&r.expiry, end)
		return
	}
	d.drops.Leases++
	d.Remove(r, "lease expired")
}

// Remove forgets a participant and all its endpoints.
func (d *Directory) Remove(r *Participant, reason string) {
	delete(d.remotes, r.prefix)
	if !r.answered {
		d.crowd.leave(r.met)
	}
	d.alarms.Cancel(&r.expiry)
	for _, ep := range r.endpoints {
		d.removeEndpoint(ep)
	}
	d.tx.Discard(r.prefix)
	d.log.Debug("participant gone", "prefix", r.prefix, "reason", reason)
	d.host.ParticipantGone(r)
}
