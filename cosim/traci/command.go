// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// command executes one command and appends its answer, but for a step that takes time. A command that can't be read is
// answered by its status as one that is refused: its length says where the next one begins.
func (s *Server) command(c *client, command wire.Command) {
	id, r := command.ID, wire.NewReader(command.Body)
	if s.cfg.Clients > 1 && !c.ordered && id != cmdVersion && id != cmdOrder && id != cmdClose {
		c.status(id, refuse("Execution order not set for this client: only getVersion and setOrder before it."))
		return
	}
	switch {
	case id == cmdVersion:
		c.status(id, nil)
		c.out = wire.AppendCommand(c.out, id, wire.AppendString(wire.AppendInt(nil, apiVersion), program), false)
	case id == cmdStep:
		if err := s.step(c, r); err != nil {
			c.status(id, err)
		}
	case id == cmdOrder:
		c.status(id, s.order(c, r))
	case id == cmdClose:
		c.status(id, nil)
		c.gone, c.closing = true, true
	case id == cmdLoad:
		c.status(id, refuse("The world is loaded when the simulation starts: start it again with another one."))
	case id == cmdFilter:
		c.status(id, s.filter(c, r))
	case id&baseMask == baseGet:
		s.get(c, id, r)
	case id&baseMask == baseSet:
		s.set(c, id, r)
	case id&baseMask == baseAsk, id&baseMask == baseContext:
		s.subscribe(c, id, command.Body)
	default:
		c.status(id, &refusal{wire.NotImplemented, "Command not implemented in sumo"})
	}
}

// get answers a question.
func (s *Server) get(c *client, id byte, r *wire.Reader) {
	variable, name := r.Byte(), r.String()
	if err := r.Err(); err != nil {
		c.status(id, err)
		return
	}
	head := wire.AppendString(append(s.scratch[:0], variable), name)
	body, err := s.fetch(c, head, id&domainMask, name, variable, r)
	if err != nil {
		c.status(id, err)
		return
	}
	c.status(id, nil)
	c.out = wire.AppendCommand(c.out, id+answerOff, body, false)
	s.scratch = body
}

// set makes a change, and notifies all clients of the result.
func (s *Server) set(c *client, id byte, r *wire.Reader) {
	variable, name := r.Byte(), r.String()
	if err := r.Err(); err != nil {
		c.status(id, err)
		return
	}
	c.status(id, s.world.change(id&domainMask, name, variable, r))
	s.spread(c)
}

// order takes a client's place among the others.
func (s *Server) order(c *client, r *wire.Reader) error {
	n := r.Int()
	if err := r.Err(); err != nil {
		return err
	}
	if slices.ContainsFunc(s.clients, func(o *client) bool { return o != c && o.ordered && o.order == n }) {
		return refuse("Order '%d' is already taken.", n)
	}
	c.order, c.ordered = n, true
	s.sorted = false
	return nil
}
