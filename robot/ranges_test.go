// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Each infrared sensor has the ray of the scan that is nearest to its direction, and each ray at most one sensor.
func TestRaysAreThoseNearestToTheSensors(t *testing.T) {
	taken := map[int]bool{robot.ToFRay: true}
	for i, ray := range robot.InfraredRays() {
		angle := robot.ScanFirst + float64(ray)*robot.ScanStep
		if off := math.Abs(angle - robot.Infrared()[i].Heading); off > robot.ScanStep/2 {
			t.Errorf("ps%d: its ray is %g rad away", i, off)
		}
		if taken[ray] {
			t.Errorf("ps%d: ray %d has another sensor", i, ray)
		}
		taken[ray] = true
	}
	if first, last := robot.ScanFirst, robot.ScanFirst+(robot.ScanRays-1)*robot.ScanStep; math.Abs(first+last) > 1e-12 {
		t.Errorf("the scan is from %g to %g rad", first, last)
	}
	if a := robot.ScanFirst + robot.ToFRay*robot.ScanStep; math.Abs(a-robot.ToF().Heading) > 1e-12 {
		t.Errorf("the ray of the time-of-flight sensor is at %g rad", a)
	}
}

// The limits of the scan are those of its sensors from where they are mounted.
func TestScanRangeIsThatOfItsSensors(t *testing.T) {
	nearest := math.Inf(1)
	for _, s := range robot.Infrared() {
		nearest = min(nearest, math.Hypot(s.X, s.Y)+robot.MinInfraredRange)
	}
	if math.Abs(nearest-robot.MinScanRange) > 1e-12 {
		t.Errorf("the scan begins at %g m, its sensors at %g", robot.MinScanRange, nearest)
	}
	if end := math.Hypot(robot.ToF().X, robot.ToF().Y) + robot.MaxToFRange; robot.MaxScanRange < end || robot.MaxScanRange > end+0.001 {
		t.Errorf("the scan ends at %g m, its sensor at %g", robot.MaxScanRange, end)
	}
	if robot.InfraredFieldOfView < robot.InfraredAperture {
		t.Error("the published field of view is less than what the sensors see")
	}
}

// The responses are those of distances that rise, to the ends that are published, and are monotonic.
func TestResponsesAreMonotonic(t *testing.T) {
	infrared, tof, ground := robot.InfraredResponse(), robot.ToFResponse(), robot.GroundResponse()
	for name, c := range map[string]struct {
		points []robot.Response
		sign   float64
		least  float64
	}{
		"infrared": {infrared[:], -1, robot.MaxInfraredRange}, "tof": {tof[:], 1, robot.MaxToFRange}, "ground": {ground[:], -1, robot.MaxGroundRange},
	} {
		for i := 1; i < len(c.points); i++ {
			a, b := c.points[i-1], c.points[i]
			if b.Distance <= a.Distance || c.sign*(b.Reading-a.Reading) <= 0 || !(b.Noise > 0 && b.Noise < 0.2) {
				t.Errorf("%s: %v after %v", name, b, a)
			}
		}
		if last := c.points[len(c.points)-1]; last.Distance < c.least {
			t.Errorf("%s: the response ends at %g m", name, last.Distance)
		}
	}
	n := len(infrared)
	a, b := infrared[n-2], infrared[n-1]
	if end := b.Distance + b.Reading*(b.Distance-a.Distance)/(a.Reading-b.Reading); math.Abs(end-robot.InfraredReach) > 1e-12 {
		t.Errorf("the last slope ends at %g m, InfraredReach is %g", end, robot.InfraredReach)
	}
}
