// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/imu"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// capture publishes the robot's pose as motion capture does: at 50 Hz, in a frame of its own, a metre above the
// floor.
func (r *rig) capture(ctx context.Context, topic string) {
	pub, err := ros2.NewPublisher[geometry_msgs.PoseStamped](r.node, topic, ros2.DefaultQoS())
	r.must(err)
	sin, cos := math.Sincos(2.5)
	for sleep(ctx, 20*time.Millisecond) == nil {
		p := r.sim.Pose()
		m := &geometry_msgs.PoseStamped{}
		m.Header.FrameID = "mocap"
		m.Pose.Position = geometry_msgs.Point{X: 3 + p.X*cos - p.Y*sin, Y: -1 + p.X*sin + p.Y*cos, Z: 1}
		m.Pose.Orientation.Z, m.Pose.Orientation.W = math.Sincos((p.Theta + 2.5) / 2)
		r.must(pub.Publish(m))
	}
	r.must(pub.Close())
}

// TestEndsFromTopic: motion capture reports the ends, in any frame; the radii and the distance come out as
// exactly as from the simulator's truth. A topic on which nothing comes is named.
func TestEndsFromTopic(t *testing.T) {
	bubble(t, varied, false, func(r *rig) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			r.capture(ctx, "mocap/epuck")
		}()
		ends, closer, err := FromTopic(r.node, "mocap/epuck")
		r.must(err)
		j := &Journal{Plan: WheelsPlan{Squares: 2, Side: 0.2, Straights: 1, Straight: 0.3, Speed: 0.1, TurnSpeed: 2}}
		r.must(r.robot.DriveRuns(ctx, r.ui, ends, j))
		res, err := j.Estimate(ends.Reading())
		r.must(err)
		near(t, "left radius", res.Geometry.Left, 0.0202, 0.001)
		near(t, "right radius", res.Geometry.Right, 0.0198, 0.001)
		near(t, "distance", res.Geometry.Distance, 0.0555, 0.001)
		if !j.Runs[0].Position || !j.Runs[0].Heading {
			t.Errorf("%+v", j.Runs[0].End)
		}
		cancel()
		<-gone
		if err := ends.Begin(r.Context(), "straight 1"); !errors.Is(err, ErrSilent) || !strings.Contains(err.Error(), "mocap/epuck") {
			t.Errorf("%v", err)
		}
		r.must(closer.Close())
		run := wheels.Run{Kind: wheels.Straight}
		if err := ends.End(r.Context(), &run); !errors.Is(err, ErrSilent) {
			t.Errorf("%v", err)
		}
	})
}

// TestTilted: a person holds and turns the robot: hard and soft iron of all three axes, also when that was
// interrupted; what the driver then publishes has one length in positions that were not measured.
func TestTilted(t *testing.T) {
	world := "robots:\n  - {name: r, variation: {inertial: 0.02}}\n"
	bubble(t, world, true, func(r *rig) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		gone := make(chan struct{})
		go func() { // all day
			defer close(gone)
			for k := 0.0; sleep(ctx, 100*time.Millisecond) == nil; k++ {
				r.must(r.sim.Place(sim.Pose{Theta: 0.11 * k}))
				r.must(r.sim.Tilt(math.Pi*math.Sin(0.13*k), 1.5*math.Sin(0.071*k)))
			}
		}()
		plan := DefaultInertialPlan()
		r.ui.act = func(string) string { return "" }
		plan.Gyro, plan.Accel, plan.Tilted = false, false, true
		path := t.TempDir() + "/j"
		j := r.interrupted(path, "imu", "15 s", func(ctx context.Context, j *Journal) error {
			_, err := r.robot.Inertial(ctx, r.ui, plan, j)
			return err
		})
		if f := j.Inertial.Field["hands"]; f == nil || math.Abs(f.Done-0.5) > 0.1 || len(f.Field) < 20 {
			t.Fatalf("%+v", f)
		}
		res, err := r.robot.Inertial(r.Context(), r.ui, plan, j)
		r.must(err)
		cancel()
		<-gone
		ReportInertial(r.ui, res)
		if res.Mag.Flat || res.Mag.After > 0.9e-6 || res.Mag.Before < 3*res.Mag.After || len(res.Field) < 100 {
			t.Errorf("%d readings, %+v", len(res.Field), res.Mag)
		}
		r.must(r.robot.Set(r.Context(), InertialSettings(res, "r", time.Now())))
		s, err := listen[sensor_msgs.MagneticField](r.node, "mag")
		r.must(err)
		for _, a := range [][3]float64{{0, 0, 0}, {1.2, 0.4, 2}, {-2, 1, 4}, {3, -0.5, 5}} {
			r.must(r.sim.Place(sim.Pose{Theta: a[2]}))
			r.must(r.sim.Tilt(a[0], a[1]))
			time.Sleep(time.Second)
			var mean imu.Vec
			n := s.now()
			for range 20 {
				m, k, err := s.next(r.Context(), n)
				r.must(err)
				n = k
				for i, v := range [3]float64{m.MagneticField.X, m.MagneticField.Y, m.MagneticField.Z} {
					mean[i] += v / 20
				}
			}
			if l := mean.Norm(); math.Abs(l-res.Mag.Field) > 0.7e-6 {
				t.Errorf("at %v the field is %.2f µT, want %.2f", a, 1e6*l, 1e6*res.Mag.Field)
			}
		}
		r.must(s.Close())
	})
}
