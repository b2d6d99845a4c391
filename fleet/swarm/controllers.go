// SPDX-License-Identifier: Apache-2.0

package swarm

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Avoider drives ahead and turns away from obstacles: the usual obstacle avoidance of simulator benchmarks.
type Avoider struct {
	// Speed is the wheels' speed ahead, rad/s. It defaults to 5.
	Speed float64
	// Threshold is the sum of the counts of the sensors of both sides from which it turns. It defaults to 100.
	Threshold float64
}

// Step implements Controller.
func (a *Avoider) Step(r Robot) {
	speed, threshold := or(a.Speed, 5), or(a.Threshold, 100)
	p := r.Proximity()
	right, left := p[0]+p[1]+p[2], p[5]+p[6]+p[7]
	switch {
	case left+right < threshold:
		r.SetWheels(speed, speed)
	case left > right:
		r.SetWheels(speed, -speed)
	default:
		r.SetWheels(-speed, speed)
	}
}

// Aggregator makes robots gather without a given location: a robot wanders, stops near others with a probability that
// increases with their number, and continues with one that decreases with it (the probabilistic aggregation of
// cockroaches; Jeanson et al., Animal Behaviour 69:169, 2005). Robots announce themselves to each other by infrared.
type Aggregator struct {
	// Stay and Leave are the probabilities per second of stopping with one neighbour, and of continuing without any.
	// They default to 0.3 and 0.6.
	Stay, Leave float64
	// Speed is the wheels' speed ahead, rad/s. It defaults to 5.
	Speed float64

	resting bool
	turning int     // remaining steps of a turn
	side    float64 // direction of the turn: 1 or −1
}

// stepsPerSecond is the number of control steps per second at the default period, to which the probabilities refer.
const stepsPerSecond = 10

// Step implements Controller.
func (a *Aggregator) Step(r Robot) {
	neighbours := float64(len(r.Heard()))
	_ = r.Say([]byte{1}) // one byte always fits
	if a.resting {
		a.resting = r.Random() > or(a.Leave, 0.6)/stepsPerSecond/(1+float64(4*neighbours*neighbours))
	} else {
		a.resting = neighbours > 0 && r.Random() < or(a.Stay, 0.3)*neighbours/stepsPerSecond
	}
	speed := or(a.Speed, 5)
	p := r.Proximity()
	right, left := p[0]+p[1]+p[2], p[5]+p[6]+p[7]
	switch {
	case a.resting:
		r.SetWheels(0, 0)
		return
	case a.turning > 0:
		a.turning--
	case left+right > 120:
		a.turning, a.side = 3, math.Copysign(1, left-right)
	case r.Random() < 0.02:
		a.turning, a.side = 1+int(8*r.Random()), math.Copysign(1, r.Random()-0.5)
	}
	if a.turning > 0 {
		r.SetWheels(speed*a.side, -speed*a.side)
		return
	}
	r.SetWheels(speed, speed)
}

func or(v, otherwise float64) float64 {
	if v == 0 {
		return otherwise
	}
	return v
}

// Maker creates the controller of a robot.
type Maker func(robot string) Controller

// builtIn returns the named controllers, by their parameters.
func builtIn() map[string]func(set map[string]float64) Maker {
	return map[string]func(map[string]float64) Maker{
		"avoid": func(p map[string]float64) Maker {
			return func(string) Controller { return &Avoider{Speed: p["speed"], Threshold: p["threshold"]} }
		},
		"aggregate": func(p map[string]float64) Maker {
			return func(string) Controller { return &Aggregator{Speed: p["speed"], Stay: p["stay"], Leave: p["leave"]} }
		},
		"none": func(map[string]float64) Maker { return func(string) Controller { return nil } },
	}
}

// parameters returns the parameters of the named controllers.
func parameters() map[string][]string {
	return map[string][]string{"avoid": {"speed", "threshold"}, "aggregate": {"speed", "stay", "leave"}, "none": nil}
}

// Controllers returns the names of the controllers that Named knows.
func Controllers() []string { return slices.Sorted(maps.Keys(builtIn())) }

// Named returns a maker of a named controller with parameters. The error of an unknown name or parameter lists those
// that exist.
func Named(name string, set map[string]float64) (Maker, error) {
	build, ok := builtIn()[name]
	if !ok {
		return nil, fmt.Errorf("%w %q, there are %q", errController, name, Controllers())
	}
	for _, k := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(parameters()[name], k) {
			return nil, fmt.Errorf("%w %q has no parameter %q, it has %q", errController, name, k, parameters()[name])
		}
	}
	return build(set), nil
}
