// SPDX-License-Identifier: Apache-2.0

package lanes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// ErrSignals is matched by the error of a program, a phase or a state that a traffic light can't have.
var ErrSignals = errors.New("traffic light")

// online is the name of the program of a light that shows a state for good, as SUMO calls it.
const online = "online"

// maxPrograms bounds how many programs a light may have.
const maxPrograms = 100

// Signals is a traffic light that runs. It may not be used by several goroutines at once.
type Signals struct {
	light    *Light
	programs []*Program
	program  *Program
	phase    int
	next     time.Duration // when the phase ends
}

// NewSignals starts the first program of a light at the time 0.
func NewSignals(light *Light) *Signals {
	s := &Signals{light: light, programs: slices.Clone(light.Programs), program: light.Programs[0]}
	s.start(0)
	return s
}

// seconds makes a duration, of whole milliseconds as in SUMO.
func seconds(v float64) time.Duration {
	return time.Duration(math.Round(float64(v*1000))) * time.Millisecond
}

// start puts the light into the phase of its program that is due, as if it had always run, with the program's offset.
func (s *Signals) start(now time.Duration) {
	cycle := time.Duration(0)
	for _, p := range s.program.Phases {
		cycle += seconds(p.Duration)
	}
	at := (now - seconds(s.program.Offset)) % max(1, cycle)
	if at < 0 {
		at += cycle
	}
	for s.phase = 0; s.phase < len(s.program.Phases)-1 && at >= seconds(s.program.Phases[s.phase].Duration); s.phase++ {
		at -= seconds(s.program.Phases[s.phase].Duration)
	}
	s.next = now + seconds(s.program.Phases[s.phase].Duration) - at
}

// Advance changes the phases that have ended.
func (s *Signals) Advance(now time.Duration) {
	for n := 0; now > s.next && n <= maxPhases; n++ {
		next := s.program.Phases[s.phase].Next
		switch {
		case len(s.program.Phases) == 1:
		case len(next) > 0:
			s.phase = next[0]
		default:
			s.phase = (s.phase + 1) % len(s.program.Phases)
		}
		s.next += max(time.Millisecond, seconds(s.program.Phases[s.phase].Duration))
	}
}

// Light returns the light that runs.
func (s *Signals) Light() *Light { return s.light }

// State returns what the light shows, a character a signal.
func (s *Signals) State() string { return s.program.Phases[s.phase].State }

// Programs returns the programs that the light can have, with those that were set.
func (s *Signals) Programs() []*Program { return s.programs }

// Program returns the program that runs, the present phase and when it ends.
func (s *Signals) Program() (p *Program, phase int, end time.Duration) {
	return s.program, s.phase, s.next
}

// SetState makes the light show a state for good.
func (s *Signals) SetState(state string, now time.Duration) error {
	if !validState(state) || len(state) != len(s.light.Links) {
		return fmt.Errorf("%w '%s': state '%s' is not %d of the characters rRuyYgGsoO", ErrSignals, s.light.ID, state, len(s.light.Links))
	}
	p := &Program{ID: online, Kind: "static", Phases: []Phase{{Duration: maxDuration, Min: maxDuration, Max: maxDuration, State: state}}}
	if err := s.add(p); err != nil {
		return err
	}
	s.program, s.phase, s.next = p, 0, now+seconds(maxDuration)
	return nil
}

// add makes a program known; it replaces one of the same name.
func (s *Signals) add(p *Program) error {
	if i := slices.IndexFunc(s.programs, func(o *Program) bool { return o.ID == p.ID }); i >= 0 {
		s.programs[i] = p
		return nil
	}
	if len(s.programs) >= maxPrograms {
		return fmt.Errorf("%w '%s': at most %d programs", ErrSignals, s.light.ID, maxPrograms)
	}
	s.programs = append(s.programs, p)
	return nil
}

// SetProgram starts a program of the light.
func (s *Signals) SetProgram(id string, now time.Duration) error {
	for _, p := range s.programs {
		if p.ID == id {
			s.program = p
			s.start(now)
			return nil
		}
	}
	return fmt.Errorf("%w: Can not switch tls '%s' to program '%s';\n The program is not known.", ErrSignals, s.light.ID, id) //nolint:revive,staticcheck // SUMO's own words
}

// SetPhase begins a phase of the program that runs.
func (s *Signals) SetPhase(i int, now time.Duration) error {
	if i < 0 || i >= len(s.program.Phases) {
		return fmt.Errorf("%w: The phase index %d is not in the allowed range [0,%d].", ErrSignals, i, len(s.program.Phases)-1) //nolint:revive,staticcheck // SUMO's own words
	}
	s.phase, s.next = i, now+seconds(s.program.Phases[i].Duration)
	return nil
}

// SetRest makes the present phase end after so many seconds.
func (s *Signals) SetRest(rest float64, now time.Duration) error {
	if !(rest >= 0 && rest <= maxDuration) {
		return fmt.Errorf("%w '%s': a phase of %g s", ErrSignals, s.light.ID, rest)
	}
	s.next = now + seconds(rest)
	return nil
}

// Install adds a program, starts it and goes to one of its phases.
func (s *Signals) Install(p *Program, phase int, now time.Duration) error {
	if p.ID == "" || len(p.Phases) == 0 || len(p.Phases) > maxPhases || phase < 0 || phase >= len(p.Phases) {
		return fmt.Errorf("%w '%s': a program needs a name and 1 to %d phases", ErrSignals, s.light.ID, maxPhases)
	}
	for i, q := range p.Phases {
		if !validState(q.State) || len(q.State) != len(s.light.Links) || !(q.Duration >= 0.001 && q.Duration <= maxDuration) {
			return fmt.Errorf("%w '%s': phase %d has the state '%s' for %g s", ErrSignals, s.light.ID, i, q.State, q.Duration)
		}
		for _, n := range q.Next {
			if n < 0 || n >= len(p.Phases) {
				return fmt.Errorf("%w '%s': phase %d is followed by %d", ErrSignals, s.light.ID, i, n)
			}
		}
	}
	if err := s.add(p); err != nil {
		return err
	}
	s.program, s.phase, s.next = p, phase, now+seconds(p.Phases[phase].Duration)
	return nil
}
