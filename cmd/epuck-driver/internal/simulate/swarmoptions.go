// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// swarmOptions are the flags of sim that concern several robots and time.
type swarmOptions struct {
	robots       int // 0: the world's own
	robotsGiven  bool
	distribution string
	level        string // "": the world's levels
	speedText    string
	speed        float64 // +Inf: as fast as possible
	traceHash    bool
	report       string
	model        modelOptions
	placed       bool   // the robots are on the lanes of a network
	enlarged     string // a sentence for the user if the arena was enlarged
}

func (o *swarmOptions) flags(f *pflag.FlagSet) {
	var ways []string
	for _, d := range sim.Distributions() {
		ways = append(ways, string(d))
	}
	o.model.flags(f)
	f.IntVar(&o.robots, "robots", 0, "`N` robots like the world's first, instead of the world's own.\n"+
		"The worlds arena and empty grow with the number and the size of the robots")
	f.StringVar(&o.distribution, "distribution", string(sim.Uniform), "with --robots: `HOW` they are spread: "+strings.Join(ways, ", "))
	f.StringVar(&o.level, "level", "", "`LEVEL` of the robots: firmware, functional or target,\n"+
		"or NAME=LEVEL of some with commas between: firmware (the real driver on virtual chips), functional (the same "+
		"topics from formulas), target (the program for the robot's processor, in time made by its instructions); "+
		"without it, as the world says")
	f.StringVar(&o.speedText, "real-time-factor", "1", "simulated seconds a second: `FACTOR`, 0 (paused) or max;\n"+
		"other than 1 the time on /clock begins at 0")
	f.StringVar(&o.speedText, "speed", "1", "deprecated, goes with the next release: `FACTOR` of --real-time-factor")
	_ = f.MarkHidden("speed") // it exists
	f.BoolVar(&o.traceHash, "trace-hash", false, "at the end print a SHA-256 of all poses, bytes on buses and messages between robots")
	f.StringVar(&o.report, "report", "", "write what happened to `FILE`.csv and FILE.html at the end")
}

// check parses the flags that are texts and returns an error for flags that exclude each other.
func (o *swarmOptions) check(device bool) error {
	if o.speedText == "max" {
		o.speed = math.Inf(1)
	} else if v, err := strconv.ParseFloat(o.speedText, 64); err == nil && v >= 0 && v <= 1000 {
		o.speed = v
	} else {
		return frame.Usagef("--real-time-factor %q: must be 0 to 1000, or max%s", o.speedText, shell.PointHint(o.speedText))
	}
	switch {
	case o.robotsGiven && o.robots < 1 || o.robots < 0 || o.robots > world.MaxRobots:
		return frame.Usagef("--robots %d: must be 1 to %d; without the flag there are the world's own", o.robots, world.MaxRobots)
	case !slices.Contains(sim.Distributions(), sim.Distribution(o.distribution)):
		return frame.Usagef("--distribution %q: must be one of %q", o.distribution, sim.Distributions())
	case device && (o.robots > 1 || o.speed != 1 || o.traceHash || o.report != ""):
		return frame.Usagef("--robots, --real-time-factor, --trace-hash and --report don't go with --i2c-device")
	}
	_, _, err := o.levels()
	return err
}

// levels returns the level of all robots, empty for the world's, and the levels of some by their names.
func (o *swarmOptions) levels() (all string, some map[string]string, err error) {
	some = map[string]string{}
	for word := range strings.SplitSeq(o.level, ",") {
		name, level, named := strings.Cut(word, "=")
		if !named {
			name, level = "", word
		}
		switch {
		case o.level == "":
		case !slices.Contains(world.Levels(), level):
			return "", nil, frame.Usagef("--level %q: must be one of %q", level, world.Levels())
		case named:
			some[name] = level
		default:
			all = level
		}
	}
	return all, some, nil
}

// populate sets the requested robots of a world.
func (o *swarmOptions) populate(w *sim.World, seed uint64) error {
	if err := o.model.replace(w); err != nil {
		return err
	}
	all, some, err := o.levels()
	if err != nil {
		return err
	}
	if err := o.distribute(w, seed); err != nil {
		return err
	}
	for i := range w.Robots {
		r := &w.Robots[i]
		r.Level = cmp.Or(some[r.Name], all, r.Level)
		delete(some, r.Name)
	}
	for name := range some {
		return frame.Usagef("--level: no robot %q", name)
	}
	return nil
}

// distribute replaces a world's robots by the number of --robots, and sets o.enlarged if the arena grows.
func (o *swarmOptions) distribute(w *sim.World, seed uint64) error {
	o.enlarged = ""
	if o.robots == 0 || o.placed {
		return nil
	}
	before := w.Arena
	err := sim.DistributeMechanisms(w, o.robots, sim.Distribution(o.distribution), seed, o.model.mechanisms())
	if errors.Is(err, sim.ErrOccupied) {
		err = fmt.Errorf("%w; use fewer robots or a world that grows with them: --world empty, or grow: true in the arena of a world file", err)
	}
	if err != nil {
		return fmt.Errorf("--robots: %w", err)
	}
	if a := w.Arena; a != nil && a.Size != before.Size {
		o.enlarged = fmt.Sprintf("The arena of %g × %g m was enlarged to %g × %g m for %d robots.\n",
			before.Size[0], before.Size[1], a.Size[0], a.Size[1], o.robots)
	}
	return nil
}

// several reports whether a world needs a fleet: the program for ARMv6, which has none, serves one robot in real time.
func (o *swarmOptions) several(w *sim.World) bool {
	other := slices.ContainsFunc(w.Robots, func(r world.Robot) bool { return r.Model != "" })
	return other || len(w.Robots) > 1 || w.Robots[0].Level != world.LevelFirmware || w.Robots[0].Cost != (world.Cost{}) || o.speed != 1 || o.traceHash || o.report != ""
}

// rulesOf returns the ROS arguments of a command line without those that set the node's name or namespace, as each of
// several nodes has its own.
func rulesOf(line []string) (rules []string) {
	at := slices.Index(line, frame.ROSArgs)
	if at < 0 {
		return nil
	}
	for _, word := range line[at+1:] {
		switch {
		case word == "--":
			return rules
		case word == frame.ROSArgs:
		case strings.HasPrefix(word, "__ns:=") || strings.HasPrefix(word, "__node:=") || strings.HasPrefix(word, "__name:="):
			rules = rules[:max(0, len(rules)-1)] // and the -r before it
		default:
			rules = append(rules, word)
		}
	}
	return rules
}
