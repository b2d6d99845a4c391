// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// hold lets controllers say what they want and time pass, until ctx ends.
func (s *Server) hold(ctx context.Context, to func(age time.Duration) error) error {
	if err := to(0); err != nil {
		return err
	}
	for {
		if err := s.gather(ctx); err != nil {
			return err
		}
		for _, n := range slices.Clone(s.sessions) {
			s.execute(n)
		}
		if err := s.advance(ctx, to); err != nil {
			return err
		}
		s.report()
	}
}

// nagging is after what time the log says whom everybody waits for.
const nagging = 10 * time.Second

// gather waits until enough controllers are there and all of them want time to pass.
func (s *Server) gather(ctx context.Context) error {
	var timeout, absence <-chan time.Time
	nag := time.NewTimer(nagging)
	defer nag.Stop()
	defer s.wait("")
	for {
		what := s.lacking()
		if what == "" {
			return nil
		}
		s.wait(what)
		if late := s.late(); s.cfg.Timeout > 0 && len(late) > 0 && len(late) < len(s.sessions) && timeout == nil {
			timer := time.NewTimer(s.cfg.Timeout)
			defer timer.Stop()
			timeout = timer.C
		}
		switch {
		case len(s.sessions) > 0 || !s.lost || s.cfg.Absence < 0:
			absence = nil
		case absence == nil:
			timer := time.NewTimer(s.cfg.Absence)
			defer timer.Stop()
			absence = timer.C
		}
		select {
		case k := <-s.requests:
			s.register(k)
		case e := <-s.events:
			s.handle(e)
		case <-absence:
			return fmt.Errorf("%w, without ending, at a simulated time of %v, and none has connected for %v (webots.absence)", ErrGone, s.now, s.cfg.Absence)
		case <-nag.C:
			s.cfg.Logger.Warn("simulated time is stalled", "waits_for", what)
		case <-timeout:
			timeout = nil
			for _, n := range s.late() {
				s.drop(n, errTimeout)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lacking says what time waits for; "" is nothing.
func (s *Server) lacking() string {
	need := 1
	if !s.begun {
		need = s.cfg.Controllers
	}
	if len(s.sessions) < need {
		first := drivable(s.cfg.Simulation)
		if len(first) == 0 {
			return "a robot"
		}
		return fmt.Sprintf("controller %d of %d to connect (WEBOTS_CONTROLLER_URL=%s)", len(s.sessions)+1, need, s.URL(first[0].Name()))
	}
	var names []string
	for _, n := range s.late() {
		names = append(names, n.body.Name())
	}
	if len(names) == 0 {
		return ""
	}
	return "the next wb_robot_step of " + strings.Join(names, ", ")
}

// late lists the controllers that everybody waits for.
func (s *Server) late() (list []*session) {
	for _, n := range s.sessions {
		if !n.asked {
			list = append(list, n)
		}
	}
	return list
}

// register connects a controller with the robot that it requests, or refuses it.
func (s *Server) register(k controlRequest) {
	all := drivable(s.cfg.Simulation)
	place := slices.IndexFunc(all, func(o sim.Robot) bool { return wire.EncodeName(o.Name()) == k.name })
	if k.name == "" && len(all) == 1 {
		place = 0
	}
	if place < 0 {
		s.cfg.Logger.Warn("controller requests a robot that does not exist", "robot", k.name)
		k.answer <- wire.Failed
		return
	}
	name := all[place].Name()
	if slices.ContainsFunc(s.sessions, func(n *session) bool { return n.body.Name() == name }) {
		s.cfg.Logger.Warn("robot has a controller already", "robot", name)
		k.answer <- wire.Forbidden
		return
	}
	b, err := newBody(s, newChassis(all[place]), place, k.session)
	if err != nil {
		s.cfg.Logger.Warn("robot takes no controller", "robot", name, "error", err)
		k.answer <- wire.Forbidden
		return
	}
	k.session.body = b
	s.sessions, s.lost = append(s.sessions, k.session), false
	slices.SortFunc(s.sessions, func(a, b *session) int { return cmp.Compare(a.body.place, b.body.place) })
	s.begun = s.begun || len(s.sessions) >= s.cfg.Controllers
	s.cfg.Logger.Info("controller connected", "robot", b.Name())
	k.answer <- wire.Connected
}

// handle does what a controller wants now, or keeps what it wants when all have asked.
func (s *Server) handle(e event) {
	n := e.session
	switch {
	case n.gone:
	case e.err != nil:
		s.drop(n, e.err)
	case n.asked:
		s.drop(n, errTurn)
	case e.request.Step > 0 && n.known:
		n.request, n.asked, n.due = e.request, true, s.now+e.request.Step
	default:
		s.answerAtOnce(n, e.request)
	}
}

// answerAtOnce answers a request without a step of time; the first answer describes the devices.
func (s *Server) answerAtOnce(n *session, q wire.Request) {
	n.answer.Reset()
	if !n.known {
		n.known = true
		n.body.configure(&n.answer)
	}
	n.body.execute(&q, &n.answer)
	n.send()
}

// execute executes a controller's commands before time passes.
func (s *Server) execute(n *session) {
	n.answer.Reset()
	n.body.execute(&n.request, &n.answer)
	n.request = wire.Request{}
}

// advance advances time to the first answer. Controllers that end meanwhile stop their robots.
func (s *Server) advance(ctx context.Context, to func(age time.Duration) error) error {
	for {
		if err := s.attend(ctx); err != nil {
			return err
		}
		if len(s.sessions) == 0 {
			return nil
		}
		until := s.first()
		if next := s.world + tick; next <= until {
			for _, n := range s.sessions {
				n.body.hold(n.body)
			}
			if err := to(next); err != nil {
				return err
			}
			s.world = next
			s.now = max(s.now, next)
			continue
		}
		s.now = until
		return nil
	}
}

// first is when the first answer is due. A controller that has just come has asked for none: time does not wait for it
// before the next turn.
func (s *Server) first() (due time.Duration) {
	for _, n := range s.sessions {
		if n.asked && (due == 0 || n.due < due) {
			due = n.due
		}
	}
	return max(due, s.now)
}

// attend does what is wanted now, without waiting.
func (s *Server) attend(ctx context.Context) error {
	for {
		select {
		case k := <-s.requests:
			s.register(k)
		case e := <-s.events:
			s.handle(e)
		case <-ctx.Done():
			return ctx.Err()
		default:
			return nil
		}
	}
}

// report answers the controllers whose time is reached.
func (s *Server) report() {
	all := drivable(s.cfg.Simulation)
	there := make(map[sim.Robot]bool, len(all))
	for _, o := range all {
		there[o] = true
	}
	s.deliver()
	for _, n := range slices.Clone(s.sessions) {
		switch {
		case !there[n.body.occupant()]:
			s.drop(n, errRemoved)
		case n.asked && n.due <= s.now:
			n.asked = false
			n.body.measure(&n.answer)
			n.send()
		}
	}
}

// drop forgets a controller and stops its robot.
func (s *Server) drop(n *session, err error) {
	if n.gone {
		return
	}
	n.gone = true
	s.sessions = slices.DeleteFunc(s.sessions, func(o *session) bool { return o == n })
	n.body.close()
	log := s.cfg.Logger.With("robot", n.body.Name())
	s.lost = s.lost || !n.body.left && !errors.Is(err, errRemoved)
	switch {
	case n.body.left:
		log.Info("controller has ended")
	case errors.Is(err, io.EOF):
		log.Warn("controller is gone without a word: its robot stops")
	default:
		log.Warn("controller is sent away: its robot stops", "error", err)
	}
	if errors.Is(err, errRemoved) {
		n.quit()
		return
	}
	_ = n.conn.Close() // it is forgotten
	close(n.out)
}

// quit notifies a controller that its robot was removed.
func (n *session) quit() {
	n.ending.Store(true)
	n.answer.Reset()
	n.answer.Begin(0, wire.RobotQuit)
	b := n.answer.Local()
	if n.remote {
		b = n.answer.Stream()
	}
	select {
	case n.out <- b:
	default: // it does not read
	}
	close(n.out)
	_ = n.conn.SetReadDeadline(time.Now().Add(leaving)) // an error of it is the read's
}

// shutdown asks all controllers to quit, and stops their robots.
func (s *Server) shutdown() {
	for _, n := range s.sessions {
		n.gone = true
		n.body.close()
		n.quit()
	}
	s.sessions = nil
}
