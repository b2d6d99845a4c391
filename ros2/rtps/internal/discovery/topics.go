// SPDX-License-Identifier: Apache-2.0

package discovery

import "iter"

// EndpointsOn yields the endpoints of remote participants on a topic. A new endpoint is matched with these only,
// because a network may have a hundred thousand.
func (d *Directory) EndpointsOn(topic string) iter.Seq[*Endpoint] {
	return func(yield func(*Endpoint) bool) {
		for e := d.topics[topic]; e != nil; e = e.next {
			if !yield(e) {
				return
			}
		}
	}
}

// link adds an endpoint to the list of its topic.
func (d *Directory) link(e *Endpoint) {
	first := d.topics[e.data.Topic]
	if e.next = first; first != nil {
		first.previous = e
	}
	d.topics[e.data.Topic] = e
}

// unlink removes an endpoint from the list of its topic.
func (d *Directory) unlink(e *Endpoint) {
	switch {
	case e.previous != nil:
		e.previous.next = e.next
	case e.next != nil:
		d.topics[e.data.Topic] = e.next
	default:
		delete(d.topics, e.data.Topic)
	}
	if e.next != nil {
		e.next.previous = e.previous
	}
	e.next, e.previous = nil, nil
}
