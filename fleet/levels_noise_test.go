// SPDX-License-Identifier: Apache-2.0

//go:build long

package fleet_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// significance is the probability of a false alarm of each comparison of distributions. The seeds are fixed, so that
// they pass always or never.
const significance = 1e-4

// distance returns the two-sample Kolmogorov–Smirnov statistic, the greatest distance of the empirical distributions of
// two samples, and the distance that is exceeded with the probability significance if they come from one distribution
// (Smirnov's asymptotic formula; values that are equal make the test stricter about what it reports).
func distance(a, b []float64) (d, critical float64) {
	slices.Sort(a)
	slices.Sort(b)
	n, m := float64(len(a)), float64(len(b))
	for i, k := 0, 0; i < len(a) && k < len(b); {
		v := min(a[i], b[k])
		for i < len(a) && a[i] <= v {
			i++
		}
		for k < len(b) && b[k] <= v {
			k++
		}
		d = max(d, math.Abs(float64(i)/n-float64(k)/m))
	}
	return d, math.Sqrt(-math.Log(significance/2)/2) * math.Sqrt((n+m)/(n*m))
}

// With noise, the values of a robot at rest have the same distribution at both levels: each value of each topic, by
// the Kolmogorov–Smirnov test.
func TestLevelsAgreeInDistribution(t *testing.T) {
	const long = 24 * time.Second
	for n := range worlds() {
		t.Run(fmt.Sprint("world ", n), func(t *testing.T) {
			firmware := recordLevel(t, n, world.LevelFirmware, false, long, nil)
			functional := recordLevel(t, n, world.LevelFunctional, false, long, nil)
			for topic, of := range firmware {
				if row := rowOf(topic); row.When == table.Once || row.When == table.OnChange {
					continue
				}
				for i := range of[0].values {
					compareDistribution(t, topic, i, valuesOf(of, i), valuesOf(functional[topic], i))
				}
			}
		})
	}
}

// valuesOf returns value i of the messages, to a billionth, since the levels calculate it in different order: between
// equal counts there would be a difference in the last bit. Not a number is a value, too, and one below all others.
func valuesOf(of []sample, i int) (all []float64) {
	for _, s := range of {
		v := s.values[i]
		if math.IsNaN(v) {
			v = math.Inf(-1)
		}
		all = append(all, math.Round(v*1e9)/1e9)
	}
	return all
}

// A count of the converters of accelerometer, m/s², and gyroscope, rad/s.
const (
	accelStep = robot.AccelRange / robot.InertialCounts
	gyroStep  = robot.GyroRange / robot.InertialCounts
)

// aligned returns the values of b shifted by the difference of the biases of a and b: both are counts of a step, less a
// bias, so that the difference is known but for whole counts.
func aligned(a, b []float64, step float64) (shifted []float64) {
	shift := a[0] - b[0]
	shift += step * math.Round((mean(a)-mean(b)-shift)/step)
	for _, v := range b {
		shifted = append(shifted, math.Round((v+shift-a[0])/step)*step+a[0])
	}
	for k, v := range a { // the same rounding of sums
		a[k] = math.Round((v-a[0])/step)*step + a[0]
	}
	return shifted
}

// calibrated reports whether a value is less a bias that was estimated from a few samples of noise: that of the
// gyroscope, of which the driver averages 25.
func calibrated(topic string, i int) bool { return topic == table.TopicIMU && i >= 3 && i < 6 }

func mean(all []float64) (m float64) {
	for _, v := range all {
		m += v / float64(len(all))
	}
	return m
}

func compareDistribution(t *testing.T, topic string, i int, firmware, functional []float64) {
	t.Helper()
	if math.Abs(float64(len(firmware)-len(functional))) > 1+0.02*float64(len(firmware)) {
		t.Errorf("%s: %d and %d messages", topic, len(firmware), len(functional))
		return
	}
	if topic == table.TopicIMU && i >= 6 { // standard deviations in the covariances, measured of 25 samples each
		if r := functional[0] / firmware[0]; !(r > 0.4 && r < 2.5) {
			t.Errorf("%s: standard deviations %v and %v", topic, firmware[0], functional[0])
		}
		return
	}
	if calibrated(topic, i) {
		// Each bias is a mean of 25 samples of 0.0007 rad/s.
		if d := mean(firmware) - mean(functional); math.Abs(d) > 0.001 {
			t.Errorf("%s: value %d, the biases left differ by %.4f rad/s", topic, i, d)
		}
		functional = aligned(firmware, functional, gyroStep)
	}
	if d, critical := distance(firmware, functional); d > critical {
		t.Errorf("%s: value %d, the distributions differ by %.3f, at most %.3f: firmware %s, functional %s",
			topic, i, d, critical, quartiles(firmware), quartiles(functional))
	}
}

// quartiles returns the least, the greatest and the quartiles of sorted values as text.
func quartiles(v []float64) string {
	var b strings.Builder
	for k := range 5 {
		fmt.Fprintf(&b, "%.5g ", v[k*(len(v)-1)/4])
	}
	return b.String()
}

// TestDescribedEpuck2AgreesInDistribution: with noise, while the robot rests.
func TestDescribedEpuck2AgreesInDistribution(t *testing.T) {
	for n := range worlds() {
		functional := recordLevel(t, n, world.LevelFunctional, false, 12*time.Second, nil)
		described := recordDescribed(t, n, false, 12*time.Second, nil)
		found := map[string]bool{}
		for topic, of := range described {
			kind := strings.TrimRight(topic, "0123456789")
			c := comparedTopics()[kind]
			if !c.distribution {
				continue
			}
			found[kind] = true
			for i := range c.values {
				a, b := valuesOf(functional[topic], i), valuesOf(of, i)
				if d, critical := distance(a, b); d > critical || len(a) < 200 {
					t.Errorf("world %d, %s: value %d of %d, the distributions differ by %.3f, at most %.3f: functional %s, described %s",
						n, topic, i, len(a), d, critical, quartiles(a), quartiles(b))
				}
			}
		}
		for kind, c := range comparedTopics() {
			if c.distribution && !found[kind] {
				t.Errorf("world %d: %s is not published", n, kind)
			}
		}
	}
}

// TestDescribedIMUAgreesInDistribution: while the robot rests, the readings of each axis scatter about their mean as at
// the functional level in each world, which says their deviation, too; and the means, which are the biases of different
// chips, are equal in distribution over all worlds.
func TestDescribedIMUAgreesInDistribution(t *testing.T) {
	var biases [2][2][]float64 // of the levels, of accelerometer and gyroscope
	for n := range worlds() {
		functional := recordLevel(t, n, world.LevelFunctional, false, 12*time.Second, nil)[table.TopicIMU]
		described := recordDescribed(t, n, false, 12*time.Second, nil)[table.TopicIMU]
		for i := range 6 {
			a, b := valuesOf(functional, i), valuesOf(described, i)
			if len(a) < 200 || len(b) < 200 {
				t.Fatalf("world %d: %d and %d messages", n, len(a), len(b))
			}
			still := 0.0
			if i == 2 {
				still = 9.80665
			}
			biases[0][i/3], biases[1][i/3] = append(biases[0][i/3], mean(a)-still), append(biases[1][i/3], mean(b)-still)
			if d, critical := distance(a, aligned(a, b, [...]float64{accelStep, gyroStep}[i/3])); d > critical {
				t.Errorf("world %d, value %d: the noise differs by %.3f, at most %.3f: functional %s, described %s",
					n, i, d, critical, quartiles(a), quartiles(b))
			}
		}
		for i := 6; i < 12; i++ { // of the functional level measured of 25 samples
			if r := functional[0].values[i] / described[0].values[i]; !(r > 0.4 && r < 2.5) {
				t.Errorf("world %d: deviations %g and %g", n, functional[0].values[i], described[0].values[i])
			}
		}
	}
	for i, of := range [...]string{"accelerometer", "gyroscope"} {
		if d, critical := distance(biases[0][i], biases[1][i]); d > critical || len(biases[0][i]) != 3*worlds() {
			t.Errorf("the biases of the %s differ by %.3f, at most %.3f: functional %s, described %s",
				of, d, critical, quartiles(biases[0][i]), quartiles(biases[1][i]))
		}
	}
}

// With noise, parameters of sensors change the distribution of what is measured in the same way at both levels.
func TestLevelsAgreeInDistributionWithOtherParameters(t *testing.T) {
	for _, c := range parameterCases() {
		t.Run(c.name, func(t *testing.T) {
			const long = 2 * time.Minute
			firmware := recordWorld(t, c.text, 1, world.LevelFirmware, false, long, nil, c.parameter)
			functional := recordWorld(t, c.text, 1, world.LevelFunctional, false, long, nil, c.parameter)
			if len(firmware[c.topic]) < 50 {
				t.Fatalf("%d messages", len(firmware[c.topic]))
			}
			for i := range firmware[c.topic][0].values {
				compareDistribution(t, c.topic, i, valuesOf(firmware[c.topic], i), valuesOf(functional[c.topic], i))
			}
		})
	}
}
