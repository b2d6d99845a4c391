// SPDX-License-Identifier: Apache-2.0

package table

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Group is a set of outputs that are published together, in order. One check finds that none of them has a
// subscriber: checking each is most of the processor time that topics without subscribers cost.
type Group struct {
	All    []Output
	always []Output // published on change or once, with or without subscribers
	demand *demand
}

// Due returns the outputs that may have something to publish.
func (g *Group) Due() []Output {
	if g.demand == nil || g.demand.subscribers.Load() != 0 {
		return g.All
	}
	return g.always
}

// Wanted reports whether one of them has a subscriber.
func (g *Group) Wanted() bool { return g.demand != nil && g.demand.subscribers.Load() != 0 }

// demand counts the subscribers of a group. It is safe for concurrent use.
type demand struct {
	subscribers atomic.Int32
	changes     *atomic.Uint32 // counts its changes, with those of other groups
}

// counter returns the callback through which a publisher of the group reports its number of subscribers.
func (d *demand) counter() func(count int) {
	var last atomic.Int32
	return func(count int) {
		d.subscribers.Add(int32(count) - last.Swap(int32(count)))
		d.changes.Add(1)
	}
}

// NewGroup creates the topics of the rows, in order; changes counts the changes of their numbers of subscribers. On an
// error no topic remains.
func NewGroup(n *ros2.Node, set *Settings, rows []Topic, changes *atomic.Uint32) (Group, error) {
	g := Group{demand: &demand{changes: changes}}
	of := make([]Topic, len(rows))
	for i, row := range rows {
		row.demand = g.demand
		of[i] = row
	}
	var err error
	if g.All, err = newOutputs(n, set, of); err != nil {
		return Group{}, err
	}
	next := g.All
	for _, row := range of {
		members := len(row.Names())
		if row.When == OnChange || row.QoS.Durability == ros2.TransientLocal {
			g.always = append(g.always, next[:members]...)
		}
		next = next[members:]
	}
	return g, nil
}
