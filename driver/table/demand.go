// SPDX-License-Identifier: Apache-2.0

package table

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Group are outputs that are published together, in their order. One look tells that none of them has a subscriber: to
// ask each is most of what a robot does for topics without.
type Group struct {
	All    []Output
	always []Output // those that follow the readings, or are kept for later, with or without subscribers
	demand *demand
}

// Due gives the outputs that may have something to say now.
func (g *Group) Due() []Output {
	if g.demand == nil || g.demand.subscribers.Load() != 0 {
		return g.All
	}
	return g.always
}

// Wanted reports whether one of them has a subscriber.
func (g *Group) Wanted() bool { return g.demand != nil && g.demand.subscribers.Load() != 0 }

// demand counts the subscribers of a group. It is safe for concurrent use.
type demand struct{ subscribers atomic.Int32 }

// counter gives what a publisher of the group is to call with its number of subscribers.
func (d *demand) counter() func(count int) {
	var last atomic.Int32
	return func(count int) { d.subscribers.Add(int32(count) - last.Swap(int32(count))) }
}

// NewGroup offers the topics of the rows, in their order. On an error nothing stays offered.
func NewGroup(n *ros2.Node, set *Settings, rows []Topic) (Group, error) {
	g := Group{demand: &demand{}}
	of := make([]Topic, len(rows))
	for i, row := range rows {
		row.demand = g.demand
		of[i] = row
	}
	var err error
	if g.All, err = NewOutputs(n, set, of); err != nil {
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
