// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// light finds a traffic light.
func (n *laneNet) light(id string) (*lanes.Signals, error) {
	i := slices.IndexFunc(n.signals, func(s *lanes.Signals) bool { return s.Light().ID == id })
	if i < 0 {
		return nil, refuse("Traffic light '%s' is not known", id)
	}
	return n.signals[i], nil
}

func (n *laneNet) getLight(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	s, err := n.light(id)
	if err != nil {
		return nil, err
	}
	program, phase, end := s.Program()
	switch variable {
	case varLights:
		return wire.TypeString(b, s.State()), nil
	case varLightPrograms:
		return programs(b, s), nil
	case varLightLanes:
		return wire.TypeStrings(b, controlled(s.Light())), nil
	case varLightLinks:
		return controlledLinks(b, s.Light()), nil
	case varLightProgram:
		return wire.TypeString(b, program.ID), nil
	case varLightPhase:
		return wire.TypeInt(b, phase), nil
	case varEdgeName:
		return wire.TypeString(b, program.Phases[phase].Name), nil
	case varLightSwitch:
		return wire.TypeDouble(b, end.Seconds()), nil
	case varLightDuration:
		return wire.TypeDouble(b, program.Phases[phase].Duration), nil
	case varParameter, varParameterKey:
		return getNote(b, n.world.notes.of(domLights, id), variable, args)
	}
	return nil, errVariable
}

// controlled lists the lanes before a light's links.
func controlled(light *lanes.Light) (list []string) {
	for _, links := range light.Links {
		for _, l := range links {
			list = append(list, l.From.ID)
		}
	}
	return list
}

// controlledLinks appends for each signal its links: the lanes before, behind and in the junction.
func controlledLinks(b []byte, light *lanes.Light) []byte {
	items := 1
	for _, links := range light.Links {
		items += 1 + len(links)
	}
	b = wire.TypeInt(wire.TypeCompound(b, items), len(light.Links))
	for _, links := range light.Links {
		b = wire.TypeInt(b, len(links))
		for _, l := range links {
			via := ""
			if l.Via != nil {
				via = l.Via.ID
			}
			b = wire.TypeStrings(b, []string{l.From.ID, l.To.ID, via})
		}
	}
	return b
}

// kindsOfPrograms are SUMO's numbers of the types of programs. All of them run as static ones: there are no detectors.
func kindOfProgram(kind string) int {
	return max(0, slices.Index([]string{"static", "rail_signal", "rail_crossing", "actuated", "NEMA", "delay_based"}, kind))
}

// programs appends all programs of a light.
func programs(b []byte, s *lanes.Signals) []byte {
	now, phase, _ := s.Program()
	b = wire.TypeCompound(b, len(s.Programs()))
	for _, p := range s.Programs() {
		at := 0
		if p == now {
			at = phase
		}
		b = wire.TypeString(wire.TypeCompound(b, 5), p.ID)
		b = wire.TypeInt(wire.TypeInt(b, kindOfProgram(p.Kind)), at)
		b = wire.TypeCompound(b, len(p.Phases))
		for _, q := range p.Phases {
			b = wire.TypeString(wire.TypeDouble(wire.TypeCompound(b, 6), q.Duration), q.State)
			b = wire.TypeDouble(wire.TypeDouble(b, q.Min), q.Max)
			b = wire.TypeCompound(b, len(q.Next))
			for _, next := range q.Next {
				b = wire.TypeInt(b, next)
			}
			b = wire.TypeString(b, q.Name)
		}
		b = wire.TypeCompound(b, 0)
	}
	return b
}

func (n *laneNet) setLight(id string, variable byte, args *wire.Reader) error {
	if !slices.Contains([]byte{varLights, varSetPhase, varSetProgram, varLightDuration, varSetPrograms, varParameter}, variable) {
		return errVariable
	}
	s, err := n.light(id)
	if err != nil {
		return err
	}
	now := n.world.now
	switch variable {
	case varLights:
		state := args.TypedString()
		if err := require(args, "The phase must be given as a string."); err != nil {
			return err
		}
		return signal(s.SetState(state, now))
	case varSetPhase:
		i := args.TypedInt()
		if err := require(args, "The phase index must be given as an integer."); err != nil {
			return err
		}
		return signal(s.SetPhase(i, now))
	case varSetProgram:
		program := args.TypedString()
		if err := require(args, "The program must be given as a string."); err != nil {
			return err
		}
		return signal(s.SetProgram(program, now))
	case varLightDuration:
		rest := args.TypedDouble()
		if err := require(args, "The phase duration must be given as a double."); err != nil {
			return err
		}
		return signal(s.SetRest(rest, now))
	case varSetPrograms:
		p, phase, err := readProgram(args)
		if err != nil {
			return err
		}
		return signal(s.Install(p, phase, now))
	}
	return n.world.notes.set(domLights, id, args)
}

// signal makes an answer of an error of a light.
func signal(err error) error {
	if err == nil {
		return nil
	}
	return refuse("%s", strings.TrimPrefix(err.Error(), lanes.ErrSignals.Error()+": "))
}

// readProgram reads a program, and the phase with which it begins.
func readProgram(args *wire.Reader) (p *lanes.Program, phase int, err error) {
	const wrong = "A program needs a name, a type, a phase, phases and parameters."
	if err := compound(args, 5, "A compound object is needed for setting a new program.", wrong); err != nil {
		return nil, 0, err
	}
	p = &lanes.Program{ID: args.TypedString(), Kind: "static"}
	args.TypedInt()
	phase = args.TypedInt()
	for range args.TypedCompound() {
		if n := args.TypedCompound(); n != 5 && n != 6 || args.Err() != nil {
			return nil, 0, refuse("%s", wrong)
		} else if q, err := readPhase(args, n); err == nil {
			p.Phases = append(p.Phases, q)
		} else {
			return nil, 0, err
		}
	}
	for range args.TypedCompound() {
		args.TypedStrings() // parameters are those of actuated lights
	}
	return p, phase, require(args, wrong)
}

// readPhase reads a phase of n items.
func readPhase(args *wire.Reader, n int) (q lanes.Phase, err error) {
	q.Duration, q.State = args.TypedDouble(), args.TypedString()
	q.Min, q.Max = args.TypedDouble(), args.TypedDouble()
	if q.Min < 0 {
		q.Min = q.Duration
	}
	if q.Max < 0 {
		q.Max = q.Duration
	}
	for range args.TypedCompound() {
		q.Next = append(q.Next, args.TypedInt())
	}
	if n == 6 {
		q.Name = args.TypedString()
	}
	return q, require(args, "A phase needs a duration, a state, two bounds of the duration, next phases and a name.")
}
