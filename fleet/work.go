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

// drainEvery is how often what the processors take is put into the batteries' accounts, of simulated time.
const drainEvery = 100 * time.Millisecond

// coreOf makes the processor of a robot, nil if its work takes no time.
func (f *Fleet) coreOf(m sim.Robot) (*core.Core, error) {
	if f.cfg.Core == nil {
		return nil, nil //nolint:nilnil // no core is no error
	}
	return f.cfg.Core(m)
}

// work lets a robot do what its core has time for. A core that is busy leaves everything for later.
func (f *Fleet) work(g *member, now time.Time, come int) error {
	if come > 0 {
		g.core.Meet(come)
	}
	rate, err := g.node.Parameter("rate")
	if err != nil {
		return err
	}
	err = g.core.Run(ros2.Seconds(1/rate.Double()), func() error {
		_ = g.driver.Step() // a robot that does not answer is the driver's to report
		return nil
	})
	if g.core.Free() {
		err = errors.Join(err, g.talk.step())
	}
	if now.Before(g.next) {
		return err
	}
	g.next = now.Add(drainEvery)
	if current, ok := g.core.Current(); ok {
		g.member.SetComputer(current)
	}
	return err
}

// otherParticipants is the number of participants of the network that are no robots of the fleet. The caller holds
// mu.
func (f *Fleet) otherParticipants() (n int) {
	come := f.crowd.come()
	if len(come) == 0 {
		return 0
	}
	for _, g := range f.members {
		delete(come, g.node.FullName())
	}
	for _, times := range come {
		n += times
	}
	return n
}

// Cores returns what the processors did, of the robots whose work takes time, in the order of the world.
func (f *Fleet) Cores() (all []core.Report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range f.order {
		if g := f.members[name]; g.core != nil {
			all = append(all, g.core.Report())
		}
	}
	return all
}

// crowd counts the participants that join the network: each robot's computer discovers them. The zero value has none.
type crowd struct {
	cancel func()
	mu     sync.Mutex
	here   map[string]int // nodes by name: a participant is reported with its nodes
	new    map[string]int // of them, those not reported yet
}

// watch begins to count. Who is there already is known.
func (c *crowd) watch(t ros2.Transport) {
	compare := func() { c.compare(t.Graph()) }
	c.cancel = t.OnGraphChange(compare)
	compare()
	c.come()
}

// compare compares the present participants with the previous ones.
func (c *crowd) compare(g ros2.Graph) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.new == nil {
		c.new = map[string]int{}
	}
	here := make(map[string]int, len(g.Nodes))
	for _, n := range g.Nodes {
		name := n.FullName()
		here[name]++
		if here[name] > c.here[name] {
			c.new[name]++
		}
	}
	c.here = here
}

// joined returns the participants that have joined since the last call, and how often.
func (c *crowd) come() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	come := c.new
	c.new = nil
	return come
}

func (c *crowd) close() {
	if c.cancel != nil {
		c.cancel()
	}
}
