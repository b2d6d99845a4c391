// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Participant is a discovered participant.
type Participant struct {
	prefix        wire.GUIDPrefix
	data          *wire.ParticipantData // replaced, not changed
	payload       []byte                // last announcement from source
	source        netip.Addr            // source address of its announcements
	firstSource   netip.Addr            // source address of the first one
	verified      bool                  // a submessage came from an address it announced, see Origin
	answered      bool                  // it has answered us, see unanswered
	announced     time.Time             // time of the last announcement from source
	meta          send.Destination      // for discovery traffic
	user          send.Destination      // for endpoints without a locator of their own
	lastReceived  time.Time             // last valid message
	lease         time.Duration
	sentAt        time.Time // last unicast announcement sent to it
	sends         int       // how many since its last message
	expiry        alarm.Alarm
	aware         bool        // it knows the local participant
	again         alarm.Alarm // for the next directed reply while it does not
	repeats       int         // of that reply
	endpoints     map[wire.EntityID]*Endpoint
	endpointBytes int // memory of endpoints
}

// Endpoint is a writer or reader of a discovered participant.
type Endpoint struct {
	owner          *Participant
	data           *wire.EndpointData // replaced, not changed
	next, previous *Endpoint          // on the same topic
}

// Prefix returns the participant's GUID prefix.
func (r *Participant) Prefix() wire.GUIDPrefix { return r.prefix }

// Data returns the participant's latest announcement. It must not be modified.
func (r *Participant) Data() *wire.ParticipantData { return r.data }

// Metatraffic returns the destination of the participant's discovery endpoints.
func (r *Participant) Metatraffic() send.Destination { return r.meta }

// RenewLease renews the participant's lease.
func (r *Participant) RenewLease(now time.Time) { r.lastReceived = now }

// BecomeAware records that a message of the participant was meant for the local one, which it therefore knows. It
// reports whether that is new.
func (r *Participant) BecomeAware() bool {
	before := r.aware
	r.aware = true
	return !before
}

// LastReceived returns when the last valid message of the participant was received.
func (r *Participant) LastReceived() time.Time { return r.lastReceived }

// Endpoint returns the participant's writer or reader with this entity id, or nil.
func (r *Participant) Endpoint(e wire.EntityID) *Endpoint { return r.endpoints[e] }

// Participant returns the endpoint's participant.
func (e *Endpoint) Participant() *Participant { return e.owner }

// Data returns the endpoint's latest announcement. It must not be modified.
func (e *Endpoint) Data() *wire.EndpointData { return e.data }

// ownsAddress reports whether addr is an address of the participant: the source of its announcements, one of its
// locators, or loopback, from where only this machine can send.
func (r *Participant) ownsAddress(addr netip.Addr) bool {
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

// maxTries is how often we send to a participant that does not answer; after that we send only once for each message
// received from it. It prevents a forged announcement from making us send to an unverified address for the whole lease
// that it announces.
const maxTries = 8

// maxTriesUnaware is the same for the discovery endpoints of a participant that has not shown that it knows the local
// one: a forged announcement then draws less than 3 kB in 3 s. It must exceed the number of unanswered heartbeats after
// which some implementations need another one.
const maxTriesUnaware = 6

// ShouldRetry reports whether to send to the participant again after tries attempts, the last one at the given time.
func (r *Participant) ShouldRetry(tries int, last time.Time) bool {
	return tries < maxTries || r.lastReceived.After(last)
}

// ShouldRetryDiscovery is ShouldRetry for what announces and requests endpoints: triesEver is the number of attempts
// since the participant was found, also if there was something new to announce meanwhile.
func (r *Participant) ShouldRetryDiscovery(tries, triesEver int, last time.Time) bool {
	return r.ShouldRetry(tries, last) && (r.aware || triesEver < maxTriesUnaware || r.lastReceived.After(last))
}

// Bounds of a peer's lease: long enough to survive one lost announcement, and not so long that participants that are
// gone are never removed.
const (
	minLease = 1 * time.Second
	maxLease = 5 * time.Minute
)

func clampLease(d wire.Duration) time.Duration {
	return min(max(d.Duration(), minLease), maxLease)
}

// addRemote adds a new participant.
func (d *Directory) addRemote(r *Participant, now time.Time) {
	d.remotes[r.prefix] = r
	d.unanswered.enter(r.firstSource)
	r.expiry.Fire = func(now time.Time) { d.checkLease(r, now) }
	d.alarms.Set(&r.expiry, now.Add(r.lease))
	d.log.Debug("participant found", "prefix", r.prefix, "vendor", r.data.Vendor, "name", r.data.EntityName, "address", r.meta.To)
	d.host.ParticipantFound(r, now)
}

// checkLease removes the participant if nothing was received from it for its lease.
func (d *Directory) checkLease(r *Participant, now time.Time) {
	if end := r.lastReceived.Add(r.lease); end.After(now) {
		d.alarms.Set(&r.expiry, end)
		return
	}
	d.drops.Leases++
	d.Remove(r, "lease expired")
}

// Remove deletes a participant and all its endpoints.
func (d *Directory) Remove(r *Participant, reason string) {
	delete(d.remotes, r.prefix)
	if !r.answered {
		d.unanswered.leave(r.firstSource)
	}
	d.alarms.Cancel(&r.expiry)
	d.alarms.Cancel(&r.again)
	for _, ep := range r.endpoints {
		d.removeEndpoint(ep)
	}
	d.tx.Discard(r.prefix)
	d.log.Debug("participant gone", "prefix", r.prefix, "reason", reason)
	d.host.ParticipantGone(r)
}
