// SPDX-License-Identifier: Apache-2.0

package discovery

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
func (d *Directory) takeRoom(r *Participant, size int, now time.Time) bool {
	for !d.endpointBytes.Reserve(size) {
		most := d.mostEndpoints()
		d.drops.EndpointLimit++
		d.host.Complain(now, "no memory for more endpoints: the participants that have most lose some; raise RTPS_DISCOVERY_MEMORY",
			"limit", d.endpointBytes.Limit, "participant", most.prefix, "endpoints", len(most.endpoints))
		if most == r || most.endpointBytes <= r.endpointBytes+size {
			return false
		}
		for id, ep := range most.endpoints {
			delete(most.endpoints, id)
			d.removeEndpoint(ep)
			break
		}
	}
	r.endpointBytes += size
	return true
}

// giveRoom ends what takeRoom began.
func (d *Directory) giveRoom(r *Participant, size int) {
	r.endpointBytes -= size
	d.endpointBytes.Release(size)
}

// mostEndpoints returns the participant whose endpoints take most. There is one, since all room is taken.
func (d *Directory) mostEndpoints() (most *Participant) {
	for _, r := range d.remotes {
		if most == nil || r.endpointBytes > most.endpointBytes {
			most = r
		}
	}
	return most
}
