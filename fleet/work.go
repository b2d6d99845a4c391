// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// drainEvery is the period at which the batteries' currents are updated, of simulated time.
const drainEvery = 100 * time.Millisecond

// coreOf returns the simulated processor of a robot, nil if its work takes no time.
func (f *Fleet) coreOf(m sim.Robot) (*core.Core, error) {
	if f.cfg.Core == nil {
		return nil, nil //nolint:nilnil // no core is no error
	}
	return f.cfg.Core(m)
}

// work executes what a robot's core has time for. While the core is busy, everything waits.
func (f *Fleet) work(g *member, now time.Time, joined int) error {
	if joined > 0 {
		g.core.Meet(joined)
	}
	rate, err := g.node.Parameter("rate")
	if err != nil {
		return err
	}
	err = g.core.Run(ros2.Seconds(1/rate.Double()), func() error { return g.server.cycle(now) })
	if g.core.Free() {
		err = errors.Join(err, g.talk.step())
	}
	if now.Before(g.next) {
		return err
	}
	g.next = now.Add(drainEvery)
	if current, ok := g.core.Current(); ok {
		g.robot.SetComputer(current)
	}
	return err
}

// otherParticipants returns the number of participants that have joined the network and are not robots of the fleet.
// The caller holds mu.
func (f *Fleet) otherParticipants() (n int) {
	joined := f.peers.joined()
	if len(joined) == 0 {
		return 0
	}
	for _, g := range f.members {
		delete(joined, g.node.FullName())
	}
	for _, times := range joined {
		n += times
	}
	return n
}

// Cores returns the reports of the simulated processors, in the order of the world.
func (f *Fleet) Cores() (all []core.Report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range f.order {
		if g.core != nil {
			all = append(all, g.core.Report())
		}
	}
	return all
}

// peerCounter counts the participants that join the network: each robot's computer discovers them.
type peerCounter struct {
	cancel  func()
	mu      sync.Mutex
	present map[string]int // nodes by name: a participant is reported with its nodes
	new     map[string]int // those of present that joined has not returned yet
}

// watch starts to count. Participants that are already present do not count.
func (c *peerCounter) watch(t ros2.Transport) {
	compare := func() { c.compare(t.Graph()) }
	c.cancel = t.OnGraphChange(compare)
	compare()
	c.joined()
}

// compare counts the participants that are new in a graph.
func (c *peerCounter) compare(g ros2.Graph) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.new == nil {
		c.new = map[string]int{}
	}
	present := make(map[string]int, len(g.Nodes))
	for _, n := range g.Nodes {
		name := n.FullName()
		present[name]++
		if present[name] > c.present[name] {
			c.new[name]++
		}
	}
	c.present = present
}

// joined returns the nodes of participants that have joined since the last call, with their numbers.
func (c *peerCounter) joined() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	joined := c.new
	c.new = nil
	return joined
}

func (c *peerCounter) close() {
	if c.cancel != nil {
		c.cancel()
	}
}
