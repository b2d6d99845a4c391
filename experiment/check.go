// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// letters are the valid characters of names, which are used in file names and column headers.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// plain reports whether a text is a valid name.
func plain(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, letters) == ""
}

// axisRobots is the parameter for the number of robots; all others are the controller's.
const axisRobots = "robots"

// reserved returns the columns of the table, which no parameter and no figure of a command may have as a name.
func reserved() []string { return []string{"run", "seed", "time", "wall", "stopped"} }

// invalid returns the first invalid field and the reason; empty if the experiment is valid.
func (e *Experiment) invalid() (field, text string) {
	say := fmt.Sprintf
	switch {
	case !plain(e.Name):
		return "name", say("%q must be 1 to 64 letters, digits, _ and -", e.Name)
	case e.Robots < 0 || e.Robots > world.MaxRobots:
		return "robots", say("%d, must be 0 to %d", e.Robots, world.MaxRobots)
	case !slices.Contains(sim.Distributions(), sim.Distribution(e.Distribution)):
		return "distribution", say("%q, must be one of %q", e.Distribution, sim.Distributions())
	case e.Level != levelOfWorld && !slices.Contains(world.Levels(), e.Level):
		return "level", say("%q, must be one of %q, or %q", e.Level, world.Levels(), levelOfWorld)
	case e.Level == levelOfWorld && (e.Robots > 0 || e.axis(axisRobots) >= 0):
		return "level", say("%q is for the robots of the world file and can't be combined with a number of robots", e.Level)
	case !(e.Duration >= 0.01 && e.Duration <= 1e7):
		return "duration", say("%g s, must be 0.01 to 1e7", e.Duration)
	case !(e.Period >= 0.01 && e.Period <= 10):
		return "period", say("%g s, must be 0.01 to 10", e.Period)
	case (e.Controller == "") == (len(e.Command) == 0):
		return "controller", "there must be a controller or a command, and not both"
	case len(e.Command) > 0 && len(e.Stop) > 0:
		return "stop", "requires a controller; a command ends by itself"
	}
	for _, k := range slices.Sorted(keys(e.Stop)) {
		if !slices.Contains(Figures(), k) {
			return "stop", say("%q, must be one of %q", k, Figures())
		}
		if v := e.Stop[k]; math.IsNaN(v) || math.IsInf(v, 0) {
			return "stop", say("%s: %g is not a finite number", k, v)
		}
	}
	if text := e.invalidSeeds(); text != "" {
		return "seeds", text
	}
	return e.invalidGrid()
}

// axis returns the index of a parameter, or −1.
func (e *Experiment) axis(name string) int {
	return slices.IndexFunc(e.Parameters, func(a axis) bool { return a.Name == name })
}

// invalidSeeds returns what is invalid about the seeds. Repeated seeds are: two runs of one seed are equal, and would
// count twice in the means.
func (e *Experiment) invalidSeeds() string {
	if len(e.Seeds) == 0 {
		return "there must be at least one"
	}
	if s := slices.Max(e.Seeds); s > maxSeed {
		return fmt.Sprintf("%d, must be at most %d", s, uint64(maxSeed))
	}
	if s, twice := repeated(e.Seeds); twice {
		return fmt.Sprintf("%d occurs twice", s)
	}
	return ""
}

// repeated returns a value that occurs twice in a list.
func repeated[T comparable](list []T) (value T, twice bool) {
	seen := make(map[T]bool, len(list))
	for _, v := range list {
		if seen[v] {
			return v, true
		}
		seen[v] = true
	}
	return value, false
}

// invalidGrid returns the first invalid parameter and the reason.
func (e *Experiment) invalidGrid() (field, text string) {
	runs := len(e.Seeds)
	set := make(map[string]float64)
	for i, a := range e.Parameters {
		if len(a.Values) == 0 || e.axis(a.Name) != i {
			return "parameters", fmt.Sprintf("%q has no value, or occurs twice", a.Name)
		}
		if text := a.invalid(); text != "" {
			return "parameters", text
		}
		if a.Name != axisRobots {
			set[a.Name] = a.Values[0]
		}
		if runs *= len(a.Values); runs > maxRuns {
			return "parameters", fmt.Sprintf("more than %d runs", maxRuns)
		}
	}
	if e.Controller != "" {
		if _, err := swarm.Named(e.Controller, set); err != nil {
			return "controller", err.Error()
		}
	}
	return "", ""
}

// invalid returns what is invalid about a single parameter.
func (a *axis) invalid() string {
	if !plain(a.Name) {
		return fmt.Sprintf("%q must be 1 to 64 letters, digits, _ and -", a.Name)
	}
	if slices.Contains(reserved(), a.Name) {
		return fmt.Sprintf("%q is a column of the table", a.Name)
	}
	for _, v := range a.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("%s: %g is not a finite number", a.Name, v)
		}
		if a.Name == axisRobots && (v < 1 || v > world.MaxRobots || v != float64(int(v))) {
			return fmt.Sprintf("robots: %g, must be a whole number of 1 to %d", v, world.MaxRobots)
		}
	}
	if v, twice := repeated(a.Values); twice {
		return fmt.Sprintf("%s: %g occurs twice", a.Name, v)
	}
	return ""
}

// maxWorld is the maximum size of a world file, bytes.
const maxWorld = 64 << 20

// worldFile returns the content of the world's file, on which the results depend; nil for a built-in world or a
// command.
func (e *Experiment) worldFile() (data []byte, field, text string) {
	if e.Controller == "" {
		return nil, "", ""
	}
	name := e.worldName()
	if _, err := sim.LoadWorld(name); err != nil {
		return nil, "world", err.Error()
	}
	if name == e.World && !filepath.IsAbs(name) {
		return nil, "", "" // built in
	}
	data, err := regular.Read(name, maxWorld)
	if err != nil {
		return nil, "world", err.Error()
	}
	return data, "", ""
}

// worldName returns the name of a built-in world, or the path of a file.
func (e *Experiment) worldName() string {
	if strings.ContainsAny(e.World, "./") && !filepath.IsAbs(e.World) {
		return filepath.Join(e.folder, e.World)
	}
	return e.World
}
