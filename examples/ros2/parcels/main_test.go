// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
)

// TestParcelsAreDelivered: each robot delivers, each picture is filtered, and equal runs give equal results.
func TestParcelsAreDelivered(t *testing.T) {
	first, err := deliver(2, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if first.parcels < 4 || first.pictures < 38 || first.pictures > 42 || first.edges < first.pictures*width*height/20 {
		t.Error(first)
	}
	if again, err := deliver(2, 20*time.Second); err != nil || again != first {
		t.Errorf("%v, then %v, %v", first, again, err)
	}
	if alone, err := deliver(1, 20*time.Second); err != nil || alone.pictures >= first.pictures {
		t.Errorf("one robot: %v, two: %v, %v", alone, first, err)
	}
}

// TestSobel: an edge between two halves is two pixels wide, whichever way it goes; an even picture has none.
func TestSobel(t *testing.T) {
	const w, h = 8, 6
	upright, level, even := make([]byte, w*h), make([]byte, w*h), make([]byte, w*h)
	for i := range upright {
		even[i] = 77
		if i%w >= w/2 {
			upright[i] = 100
		}
		if i/w >= h/2 {
			level[i] = 20
		}
	}
	out := make([]byte, w*h)
	if n := sobel(out, upright, w); n != 2*(h-2) || out[w+3] != 255 || out[w+4] != 255 || out[w+2] != 0 || out[3] != 0 {
		t.Errorf("upright: %d edges, %v", n, out)
	}
	if n := sobel(out, level, w); n != 0 || out[2*w+1] != 80 || out[3*w+1] != 80 || out[w+1] != 0 {
		t.Errorf("weak: %d edges, %v", n, out)
	}
	if n := sobel(out, even, w); n != 0 || out[w+1] != 0 {
		t.Errorf("even: %d edges, %v", n, out)
	}
}

// TestRobotDrivesItsRoute: around the corner at the speed, and it reports the end once.
func TestRobotDrivesItsRoute(t *testing.T) {
	o := &robot{}
	o.route = route(0.2, 0, 0.2, 0.1)
	ends, steps := 0, 0
	for range 100 {
		if len(o.route) > 0 {
			steps++
		}
		if o.drive() {
			ends++
		}
	}
	if ends != 1 || o.x != 0.2 || o.y != 0.1 || steps < 29 || steps > 32 {
		t.Errorf("%d ends, %d steps, at (%g, %g)", ends, steps, o.x, o.y)
	}
}

// route is one through two places.
func route(x1, y1, x2, y2 float64) []geometry_msgs.PoseStamped {
	var all []geometry_msgs.PoseStamped
	for _, p := range []geometry_msgs.Point{{X: x1, Y: y1}, {X: x2, Y: y2}} {
		all = append(all, geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: p}})
	}
	return all
}
