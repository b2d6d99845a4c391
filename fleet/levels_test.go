// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

const (
	// bringUp is the time in which the driver finds its parts and the IMU is calibrated.
	bringUp = 5 * time.Second
	// controlCycle is the time between two readings.
	controlCycle = 50 * time.Millisecond
	// commandPeriod is the time between two commands in the comparison of moving robots.
	commandPeriod = 400 * time.Millisecond
	// restTime is how long the robot is at rest first.
	restTime = 4 * commandPeriod
)

// recordLevel lets the robot of a world run at a level, and records its topics after bringUp while it gets a command
// each commandPeriod; the world's number chooses them. Stamps count from the end of bringUp.
func recordLevel(t *testing.T, number int, level string, quiet bool, long time.Duration, commands []geometry_msgs.Twist) recording {
	t.Helper()
	return recordWorld(t, comparedWorld(number), uint64(number), level, quiet, long, commands)
}

// recordWorld is recordLevel for the world of a file's text and a seed; the robot has the parameters given, each as in
// "name:=value".
func recordWorld(t *testing.T, text string, seed uint64, level string, quiet bool, long time.Duration, commands []geometry_msgs.Twist,
	parameters ...string) recording {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	w.Robots[0].Level = level
	g := newRigOf(t, w, sim.Options{Seed: seed, Settled: true, Quiet: quiet}, fleet.Config{Args: argsWith(parameters)})
	move := say[geometry_msgs.Twist](g, "/r/cmd_vel")
	early := recordAll(g, "r") // topics that are published once
	g.run(bringUp)
	got := make(recording)
	for name, all := range early {
		row := rowOf(name)
		if row.When == table.Once || row.When == table.OnChange {
			for i := range all {
				all[i].stamp = 0 // a part of the driver's start
			}
			got[name] = all
		}
		early[name] = nil
	}
	for passed := time.Duration(0); passed < long; passed += commandPeriod {
		if k := int(passed / commandPeriod); k < len(commands) {
			move(&commands[k])
		}
		g.run(min(commandPeriod, long-passed))
	}
	for name, all := range early {
		for i := range all {
			all[i].stamp -= bringUp
		}
		got[name] = append(got[name], all...)
	}
	return got
}

// argsWith gives the command line of a robot with parameters.
func argsWith(parameters []string) func(namespace, prefix string) (ros2.Args, error) {
	return func(namespace, prefix string) (ros2.Args, error) {
		list := []string{"--ros-args", "-r", "__ns:=" + namespace, "-p", "frame_prefix:=" + prefix}
		for _, p := range parameters {
			list = append(list, "-p", p)
		}
		args, _, err := ros2.ParseArgs(list)
		return args, err
	}
}

// rowOf returns the row of the table that a topic belongs to.
func rowOf(name string) table.Topic {
	for _, row := range table.Topics() {
		if row.Direction == table.Published && slices.Contains(row.Names(), name) {
			return row
		}
	}
	return table.Topic{}
}

// tolerance returns how far the value i of a topic of the levels may differ at a moment without noise, beyond the
// values within a control cycle: the motors of the firmware level take up to a half step's time to change their
// speed, and its counters a step (0.126 mm of the wheel's way).
func tolerance(topic string, i int) float64 {
	switch strings.TrimRight(topic, "0123456789") {
	case table.TopicOdom:
		switch {
		case i < 3: // m
			return 0.001
		case i < 7: // of half the heading, rad: four steps
			return 0.005
		case i < 10: // a step in a cycle: 2.5 mm/s, 0.09 rad/s
			return 0.1
		}
		return 0.004 // covariances, which follow from the speeds
	case table.TopicTF, table.TopicJoints:
		if topic == table.TopicJoints && i >= 2 {
			return 0.26 // two steps in a cycle
		}
		return 0.05 // eight steps of eight changes of speed, of the joints rad
	case table.TopicScan, table.TopicRange, table.TopicToF, table.TopicGround:
		return 0.002 // m
	case table.TopicCounts:
		return 60
	case table.TopicLight:
		return 0.3 // lx
	case table.TopicIMU:
		return 0.01 // m/s² and rad/s: a count of the converter
	case table.TopicMag: // at 8 Hz a robot turns between two of them
		return 1.2e-6 // T
	case table.TopicBattery:
		return 0.0051 // V: a count of the converter
	}
	return 0
}

// moment reports how far a value is from those of the other level within a control cycle of its time; 0 if it is
// among them. What is not finite must be so there, too.
func moment(of []sample, at time.Duration, i int, v float64) (off float64) {
	low, high, nan, any := math.Inf(1), math.Inf(-1), false, false
	for _, s := range of {
		if (s.stamp-at).Abs() > controlCycle+5*time.Millisecond || i >= len(s.values) {
			continue
		}
		any = true
		if w := s.values[i]; math.IsNaN(w) {
			nan = true
		} else {
			low, high = min(low, w), max(high, w)
		}
	}
	switch {
	case !any:
		return 0 // only the IMU leaves messages out
	case math.IsNaN(v) && !nan, !math.IsNaN(v) && low > high:
		return math.Inf(1)
	case math.IsNaN(v), v >= low && v <= high:
		return 0
	}
	return max(low-v, v-high)
}

// Without noise, the topics of a robot that drives are the same at both levels, message by message: as many, the same
// metadata, and values within a tolerance of those within a control cycle.
func TestLevelsAgreeAtEachMoment(t *testing.T) {
	const long = 6 * time.Second
	var edges tally
	for n := range worlds() {
		t.Run(fmt.Sprint("world ", n), func(t *testing.T) {
			commands := drive(n)
			firmware := recordLevel(t, n, world.LevelFirmware, true, long, commands)
			functional := recordLevel(t, n, world.LevelFunctional, true, long, commands)
			for topic, of := range firmware {
				compareTopic(t, topic, of, functional[topic], &edges)
			}
		})
	}
	if share := float64(edges.off) / float64(edges.all); share > edgeShare || edges.all < 2500*worlds() {
		t.Errorf("%d of %d values are out of tolerance while the robots drive, share %.4f", edges.off, edges.all, share)
	}
}

// edgeShare is the greatest share of the values that jump at edges and bumps, while robots drive, that may be out of
// tolerance: poses that differ by a motor step or two have single rays hit or miss an edge.
const edgeShare = 0.01

// tally counts values, and those out of tolerance.
type tally struct{ all, off int }

// atEdges reports whether a topic depends on rays, which edges interrupt, or on bumps.
func atEdges(topic string) bool {
	switch strings.TrimRight(topic, "0123456789") {
	case table.TopicScan, table.TopicRange, table.TopicToF, table.TopicCounts, table.TopicGround, table.TopicIMU:
		return true
	}
	return false
}

// drive returns the commands of a world: the robot is at rest, drives forwards and backwards in curves, and stops. No
// wheel turns slower than 100 steps/s, since a motor of the firmware level takes over a new speed at the end of a
// half step.
func drive(n int) (commands []geometry_msgs.Twist) {
	dice := rand.New(rand.NewPCG(uint64(n), 30))
	for k := range 15 {
		var m geometry_msgs.Twist
		if at := time.Duration(k) * commandPeriod; at >= restTime && k < 12 {
			m.Linear.X, m.Angular.Z = 0.045, 1.6*dice.Float64()-0.8
			if dice.IntN(2) == 0 {
				m.Linear.X = -m.Linear.X
			}
		}
		commands = append(commands, m)
	}
	return commands
}

func compareTopic(t *testing.T, topic string, firmware, functional []sample, edges *tally) {
	t.Helper()
	quiet := topic == table.TopicIMU || topic == table.TopicMag // equal samples are none for the driver
	if d := len(firmware) - len(functional); !quiet && (d > 1 || d < -1) || len(firmware) == 0 && topic != table.TopicRemote {
		t.Errorf("%s: %d and %d messages", topic, len(firmware), len(functional))
		return
	}
	worst, where := 0.0, ""
	for k, s := range functional {
		if s.meta != firmware[min(k, len(firmware)-1)].meta {
			t.Errorf("%s: %.300q and %.300q", topic, firmware[min(k, len(firmware)-1)].meta, s.meta)
			return
		}
		if topic == table.TopicIMU && settling(s.stamp) {
			continue
		}
		for i, v := range s.values {
			if topic == table.TopicIMU && i >= 6 {
				break // covariances: the driver calibrates no IMU whose samples are all equal
			}
			off := moment(firmware, s.stamp, i, v) - tolerance(topic, i)
			if atEdges(topic) && s.stamp > restTime {
				if edges.all++; off > 0 {
					edges.off++
				}
				continue
			}
			if off > worst {
				worst, where = off, fmt.Sprintf("%v, value %d is %v", s.stamp, i, v)
			}
		}
	}
	if worst > 1e-9 {
		t.Errorf("%s: out of tolerance by %g at %s", topic, worst, where)
	}
}

// settling reports whether a command came so shortly before that the body still follows it: the functional level has
// one speed in 10 ms, and an accelerometer shows the difference.
func settling(at time.Duration) bool { return at%commandPeriod < 200*time.Millisecond }
