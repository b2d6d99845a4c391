// SPDX-License-Identifier: Apache-2.0

package traci

import "slices"

// events are what has happened.
type events struct {
	loaded, departed, arrived       []string // robots
	departedPersons, arrivedPersons []string
	stopped, resumed                []string
	collisions                      []collision
}

// collision is that a robot has met something.
type collision struct {
	robot, victim           string
	robotKind, victimKind   string
	robotSpeed, victimSpeed float64 // m/s
	what, lane              string
	pos                     float64 // along the pseudo edge, m
}

func (e *events) empty() bool {
	return len(e.loaded)+len(e.departed)+len(e.arrived)+len(e.departedPersons)+len(e.arrivedPersons)+len(e.stopped)+
		len(e.resumed)+len(e.collisions) == 0
}

// add adds what happened after.
func (e *events) add(o *events) {
	e.loaded = append(e.loaded, o.loaded...)
	e.departed = append(e.departed, o.departed...)
	e.arrived = append(e.arrived, o.arrived...)
	e.departedPersons = append(e.departedPersons, o.departedPersons...)
	e.arrivedPersons = append(e.arrivedPersons, o.arrivedPersons...)
	e.stopped = append(e.stopped, o.stopped...)
	e.resumed = append(e.resumed, o.resumed...)
	e.collisions = append(e.collisions, o.collisions...)
}

// colliding returns the robots that have met something, each once.
func (e *events) colliding() (names []string) {
	for i := range e.collisions {
		if !slices.Contains(names, e.collisions[i].robot) {
			names = append(names, e.collisions[i].robot)
		}
	}
	return names
}
