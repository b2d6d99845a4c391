// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// peers are the remote DDS endpoints that match one of our service endpoints. It is safe for concurrent use.
type peers struct {
	mu   sync.Mutex
	list []peer // in order of discovery
}

// peer is a matched remote endpoint.
type peer struct {
	guid   wire.GUID
	vendor wire.VendorID
	pair   string // "clientid" or "serviceid" of its USER_DATA
}

// update applies a match event and reports whether anything changed.
func (p *peers) update(ev rtps.MatchEvent, idKey string) bool {
	if ev.Kind == rtps.Incompatible {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.list)
	kept := p.list[:0:0]
	for _, one := range p.list {
		if one.guid != ev.Remote {
			kept = append(kept, one)
		}
	}
	p.list = kept
	if ev.Kind == rtps.Matched {
		id, _ := UserDataValue(ev.RemoteData.UserData, idKey)
		p.list = append(p.list, peer{ev.Remote, vendorOf(ev.RemoteData), id})
	}
	return len(p.list) != before
}

// vendorOf returns the vendor that an endpoint announces or, if it does not, the one in its GUID (DDSI-RTPS 9.3.1.5).
func vendorOf(d *wire.EndpointData) wire.VendorID {
	if d.Vendor != wire.VendorUnknown {
		return d.Vendor
	}
	return wire.VendorID(d.GUID.Prefix[0])<<8 | wire.VendorID(d.GUID.Prefix[1])
}

// all returns the peers. The slice must not be modified.
func (p *peers) all() []peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list[:len(p.list):len(p.list)]
}

// find returns the peer with the GUID.
func (p *peers) find(guid wire.GUID) (peer, bool) {
	for _, one := range p.all() {
		if one.guid == guid {
			return one, true
		}
	}
	return peer{}, false
}

// partnersOf returns the peers that belong to the same client or server as other: those with the same pair id or, if
// one of them announces none, those of the same participant.
func (p *peers) partnersOf(other peer) (out []wire.GUID) {
	for _, one := range p.all() {
		if one.pair != "" && other.pair != "" {
			if one.pair == other.pair {
				out = append(out, one.guid)
			}
		} else if one.guid.Prefix == other.guid.Prefix {
			out = append(out, one.guid)
		}
	}
	return out
}
