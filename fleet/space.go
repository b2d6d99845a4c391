// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrSpace is matched if the robots' nodes need more writers or readers than [Config].Endpoints.
var ErrSpace = errors.New("fleet: too many robots for one participant")

// robotKind identifies robots with the same number of endpoints.
type robotKind struct {
	level, model string
	parts        string
}

func kindOf(r sim.Robot) robotKind { return robotKind{r.Level(), r.Model(), fmt.Sprint(r.Parts())} }

// addAll adds robots to the network: the first of each kind, and the others when it is known from these that all fit.
func (f *Fleet) addAll(robots []sim.Robot) error {
	number, order := map[robotKind]int{}, []robotKind{}
	first := map[robotKind]sim.Robot{}
	for _, m := range robots {
		if m.Level() == world.LevelTarget {
			continue // its programs create its node
		}
		k := kindOf(m)
		if number[k]++; number[k] == 1 {
			order, first[k] = append(order, k), m
		}
	}
	if f.cfg.Endpoints > 0 && len(robots) > minChecked {
		if err := f.checkSpace(order, number, first); err != nil {
			return err
		}
	}
	inOrder := make([]*member, 0, len(robots))
	for _, m := range robots {
		if m.Level() == world.LevelTarget {
			continue
		}
		if f.members[m.Name()] == nil {
			if err := f.Add(m); err != nil {
				return err
			}
		}
		inOrder = append(inOrder, f.members[m.Name()])
	}
	f.order = inOrder
	return nil
}

// minChecked is the number of robots up to which no check is needed: every participant has space for them.
const minChecked = 100

// checkSpace adds one robot of each kind to the network, counts its endpoints, and fails if all robots together need
// too many.
func (f *Fleet) checkSpace(order []robotKind, number map[robotKind]int, first map[robotKind]sim.Robot) error {
	var need, made endpoints
	var own participant
	before, all := f.known(), 0
	for i, k := range order {
		if err := f.Add(first[k]); err != nil {
			return err
		}
		node := f.members[first[k].Name()].node.Name()
		if i == 0 {
			own = f.ownParticipant(node, before)
		}
		each := f.count(func(e ros2.EndpointInfo) bool { return participantOf(e) == own && e.Node == node })
		need, made = need.plus(each.times(number[k])), made.plus(each)
		all += number[k]
	}
	others := f.count(func(e ros2.EndpointInfo) bool { return participantOf(e) == own }).less(made)
	ofRobots := max(1, need.writers, need.readers)
	need = need.plus(others)
	if most := max(need.writers, need.readers); most > f.cfg.Endpoints {
		fits := int(float64(f.cfg.Endpoints-max(others.writers, others.readers)) / float64(ofRobots) * float64(all))
		return fmt.Errorf("%w: %d robots need %d writers and %d readers on the network, and there is space for %d of each, which is %d robots like these: "+
			"use fewer, or leave out parts whose topics are not needed (--without camera,imu,…), or drive them without a network (--controller)",
			ErrSpace, all, need.writers, need.readers, f.cfg.Endpoints, max(0, fits))
	}
	return nil
}

// endpoints are numbers of writers and readers.
type endpoints struct{ writers, readers int }

func (e endpoints) less(o endpoints) endpoints {
	return endpoints{e.writers - o.writers, e.readers - o.readers}
}

func (e endpoints) plus(o endpoints) endpoints {
	return endpoints{e.writers + o.writers, e.readers + o.readers}
}

func (e endpoints) times(n int) endpoints { return endpoints{e.writers * n, e.readers * n} }

// participant is the part of a GID that names the participant.
type participant [12]byte

func participantOf(e ros2.EndpointInfo) participant { return participant(e.GID[:len(participant{})]) }

// ownParticipant returns the fleet's participant: the one with the most new endpoints, compared with before, of a
// node. Another participant may have a node of the same name.
func (f *Fleet) ownParticipant(node ros2.NodeName, before map[ros2.GID]bool) (own participant) {
	number := map[participant]int{}
	for _, e := range f.cfg.Transport.Graph().Endpoints {
		if p := participantOf(e); e.Node == node && !before[e.GID] {
			if number[p]++; number[p] > number[own] {
				own = p
			}
		}
	}
	return own
}

// known returns the endpoints in the graph.
func (f *Fleet) known() map[ros2.GID]bool {
	all := map[ros2.GID]bool{}
	for _, e := range f.cfg.Transport.Graph().Endpoints {
		all[e.GID] = true
	}
	return all
}

// count returns the number of discovered endpoints for which wanted returns true.
func (f *Fleet) count(wanted func(e ros2.EndpointInfo) bool) (n endpoints) {
	for _, e := range f.cfg.Transport.Graph().Endpoints {
		if !wanted(e) {
			continue
		}
		switch e.Kind {
		case ros2.PublisherEndpoint:
			n.writers++
		case ros2.SubscriptionEndpoint:
			n.readers++
		default: // a server or a client has both
			n.writers++
			n.readers++
		}
	}
	return n
}
