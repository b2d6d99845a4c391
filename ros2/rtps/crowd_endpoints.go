// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// endpointOverhead is what a remote endpoint takes besides the texts it announces, bytes, with its place in maps and
// lists.
const endpointOverhead = 1024

// sizeOf returns about how many bytes the description of a remote endpoint takes.
func sizeOf(d *wire.EndpointData) int {
	n := endpointOverhead + len(d.Topic) + len(d.Type) + len(d.UserData) + len(d.EntityName)
	for _, s := range d.QoS.Partition {
		n += len(s) + 16
	}
	return n
}

// takeRoom takes room for an endpoint of r. If there is none, endpoints of the participant that has most give way, as
// long as it has more than r would: a participant with few is heard, however many others announce.
func (p *Participant) takeRoom(r *remoteParticipant, size int, now time.Time) bool {
	for !p.endpointBytes.reserve(size) {
		most := p.mostEndpoints()
		p.drop(DropEndpointLimit)
		p.complain(now, "no memory for more endpoints: the participants that have most lose some; raise RTPS_DISCOVERY_MEMORY",
			"limit", p.cfg.Limits.EndpointBytes, "participant", most.prefix, "endpoints", len(most.endpoints))
		if most == r || most.endpointBytes <= r.endpointBytes+size {
			return false
		}
		for id, ep := range most.endpoints {
			delete(most.endpoints, id)
			p.removeEndpoint(ep)
			break
		}
	}
	r.endpointBytes += size
	return true
}

// giveRoom ends what takeRoom began.
func (p *Participant) giveRoom(r *remoteParticipant, size int) {
	r.endpointBytes -= size
	p.endpointBytes.release(size)
}

// mostEndpoints returns the participant whose endpoints take most. There is one, since all room is taken.
func (p *Participant) mostEndpoints() (most *remoteParticipant) {
	for _, r := range p.remotes {
		if most == nil || r.endpointBytes > most.endpointBytes {
			most = r
		}
	}
	return most
}
