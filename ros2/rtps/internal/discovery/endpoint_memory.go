// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// endpointOverhead is the memory of a remote endpoint without its texts, including map and list entries, bytes.
const endpointOverhead = 1024

// sizeOf returns the approximate memory of a remote endpoint, bytes.
func sizeOf(d *wire.EndpointData) int {
	n := endpointOverhead + len(d.Topic) + len(d.Type) + len(d.UserData) + len(d.EntityName)
	for _, s := range d.QoS.Partition {
		n += len(s) + 16
	}
	return n
}

// reserve reserves memory for an endpoint of r. If there is none, it removes endpoints of the participant with the most
// memory, as long as that has more than r would: the endpoints of a participant with few are always added, however many
// others announce.
func (d *Directory) reserve(r *Participant, size int, now time.Time) bool {
	for !d.endpointBytes.Reserve(size) {
		most := d.mostEndpoints()
		d.drops.EndpointLimit++
		d.host.LogRejected(now, "no memory for more endpoints: endpoints of the participants with the most are dropped; raise RTPS_DISCOVERY_MEMORY",
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

// release releases memory that reserve reserved.
func (d *Directory) release(r *Participant, size int) {
	r.endpointBytes -= size
	d.endpointBytes.Release(size)
}

// mostEndpoints returns the participant whose endpoints use most memory. There is one, since all memory is in use.
func (d *Directory) mostEndpoints() (most *Participant) {
	for _, r := range d.remotes {
		if most == nil || r.endpointBytes > most.endpointBytes {
			most = r
		}
	}
	return most
}
