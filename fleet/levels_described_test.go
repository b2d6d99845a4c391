// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// recordDescribed is recordLevel for the described robot of the library's model epuck2.
func recordDescribed(t *testing.T, number int, quiet bool, long time.Duration, commands []geometry_msgs.Twist) recording {
	t.Helper()
	text := strings.Replace(comparedWorld(number), "{name: r,", "{name: r, model: epuck2,", 1)
	return recordWorld(t, text, uint64(number), "", quiet, long, commands)
}

// comparison says how a topic of the described e-puck2 is compared with that of the functional level. What differs, and
// why, is in docs/reference/robots.md.
type comparison struct {
	values       int     // the first of them are compared
	skip         int     // values of the described robot before the first that corresponds
	share        float64 // of the values, that may be out of the levels' tolerance
	close        float64 // of a distance sensor: how far apart they may be where both see something alike, m
	distribution bool    // equal in distribution, with noise, while the robot rests
}

// comparedTopics has the topics of the e-puck2 that its description has, without the numbers of its sensors. One ray
// sees past a post that a cone sees, so that it may see farther.
func comparedTopics() map[string]comparison {
	return map[string]comparison{
		// Without covariances. A functional robot's wheels turn whole steps/s, so that headings drift apart slowly.
		table.TopicOdom:     {values: 10, share: 1e-4, distribution: true},
		table.TopicTF:       {values: 7, distribution: true}, // without the wheels
		table.TopicTFStatic: {values: 175},                   // without the frames of the light sensors
		table.TopicJoints:   {values: 4, distribution: true},
		table.TopicGround:   {values: 1, share: edgeShare, distribution: true},
		table.TopicLight:    {values: 1, distribution: true},
		table.TopicIMU:      {values: 6, share: edgeShare},
		table.TopicRange:    {values: 1, close: 0.012},
		table.TopicScan:     {values: 22, skip: 2, close: 0.012},
		table.TopicToF:      {values: 1, close: 0.012},
	}
}

// TestDescribedEpuck2AgreesAtEachMoment: without noise, what the described e-puck2 publishes while it drives and rests
// is what the functional level does, within the tolerance of the levels; where description and level have different
// sensors, what both see alike is as far away.
func TestDescribedEpuck2AgreesAtEachMoment(t *testing.T) {
	counts := map[string]*tally{}
	for n := range worlds() {
		functional := recordLevel(t, n, world.LevelFunctional, true, 6*time.Second, drive(n))
		described := recordDescribed(t, n, true, 6*time.Second, drive(n))
		for topic, of := range described {
			kind := strings.TrimRight(topic, "0123456789")
			c, ok := comparedTopics()[kind]
			if !ok {
				continue
			}
			if counts[kind] == nil {
				counts[kind] = &tally{}
			}
			if len(of) == 0 || len(functional[topic]) == 0 {
				t.Errorf("world %d, %s: %d and %d messages", n, topic, len(of), len(functional[topic]))
				continue
			}
			compareDescribed(topic, c, of, functional[topic], counts[kind])
		}
	}
	for topic, c := range comparedTopics() {
		switch got := counts[topic]; {
		case got == nil || got.all < 20:
			t.Errorf("%s: %v values are compared", topic, got)
		case float64(got.off) > float64(float64(got.all)*c.share):
			t.Errorf("%s: %d of %d values are out of tolerance", topic, got.off, got.all)
		}
	}
}

// compareDescribed counts the values of a topic, and those out of tolerance.
func compareDescribed(topic string, c comparison, described, functional []sample, to *tally) {
	for _, s := range described {
		if topic == table.TopicIMU && settling(s.stamp) {
			continue
		}
		for i := range min(c.values, len(s.values)-c.skip) {
			v := s.values[i+c.skip]
			if c.close == 0 {
				if to.all++; moment(functional, s.stamp, i, v) > tolerance(topic, i)+1e-9 {
					to.off++
				}
				continue
			}
			if s.stamp > restTime || topic == table.TopicScan && i == 0 { // the period
				continue
			}
			near := functional[min(len(functional)-1, int(s.stamp/controlCycle))].values[i]
			if math.IsInf(v, 0) || math.IsNaN(v) || math.IsInf(near, 0) || math.IsNaN(near) {
				continue
			}
			if to.all++; v < near-c.close {
				to.off++
			}
		}
	}
}

// TestDescribedInfraredSaturatesInBrightLight: before a wall, in light that leaves its converter less than what comes
// back, a proximity sensor of the described e-puck2 reads what the functional one does, and farther than in the dark.
func TestDescribedInfraredSaturatesInBrightLight(t *testing.T) {
	mean := func(ambient float64, described bool) float64 {
		text := fmt.Sprintf("ambient_irradiance: %g\nboxes: [{position: [0.095, 0], size: [0.1, 3]}]\nrobots: [{name: r}]\n", ambient)
		level := world.LevelFunctional
		if described {
			text, level = strings.Replace(text, "name: r", "name: r, model: epuck2", 1), ""
		}
		return recordWorld(t, text, 1, level, true, time.Second, nil)["ps0"][5].values[0]
	}
	for _, ambient := range []float64{1.9, 1.95} {
		functional, described, dark := mean(ambient, false), mean(ambient, true), mean(0.5, true)
		if math.Abs(functional-described) > 0.001 || described < dark+0.003 {
			t.Errorf("%g W/m²: functional %g m, described %g m, in the dark %g m", ambient, functional, described, dark)
		}
	}
}

// TestDescribedDistanceSensorsReadAWallAsTheFunctionalOnes: at a wall that all rays of their cones see, 0.02 to 0.8 m
// ahead, the described time-of-flight sensor is within 12 mm of the functional one, the proximity sensors within 8 mm.
func TestDescribedDistanceSensorsReadAWallAsTheFunctionalOnes(t *testing.T) {
	for _, gap := range []float64{0.02, 0.03, 0.1, 0.3, 0.8} {
		text := fmt.Sprintf("boxes: [{position: [%g, 0], size: [0.1, 3]}]\nrobots: [{name: r}]\n", gap+0.035+0.05)
		functional := recordWorld(t, text, 1, world.LevelFunctional, true, time.Second, nil)
		described := recordWorld(t, strings.Replace(text, "name: r", "name: r, model: epuck2", 1), 1, "", true, time.Second, nil)
		for topic, limit := range map[string]float64{"tof": 0.012, "ps0": 0.008, "ps7": 0.008} {
			if topic != "tof" && gap > 0.03 {
				continue
			}
			a, b := functional[topic][5].values[0], described[topic][5].values[0]
			if !(math.Abs(a-b) <= limit) {
				t.Errorf("%s, %g m before a wall: functional %g m, described %g m", topic, gap, a, b)
			}
		}
	}
}

// TestDescribedRobotPublishesItsBattery: share and status, at a charging station and elsewhere.
func TestDescribedRobotPublishesItsBattery(t *testing.T) {
	for stations, status := range map[string]uint8{
		"":                                 sensor_msgs.BatteryStatePowerSupplyStatusDischarging,
		"stations: [{position: [0, 0]}]\n": sensor_msgs.BatteryStatePowerSupplyStatusCharging,
	} {
		text := stations + "robots: [{name: r, model: epuck2, battery: {charge: 0.4}}]\n"
		got := recordWorld(t, text, 1, "", true, 2*time.Second, nil)[table.TopicBattery]
		if len(got) == 0 {
			t.Fatal("no battery_state")
		}
		last := got[len(got)-1]
		if share := last.values[1]; math.Abs(share-0.4) > 0.003 || !strings.Contains(last.meta, fmt.Sprintf("PowerSupplyStatus:%d", status)) {
			t.Errorf("%q: %g, %s", stations, share, last.meta)
		}
	}
}
