// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// twistPublisher publishes Twist.
type twistPublisher struct {
	pub *ros2.Publisher[geometry_msgs.Twist]
}

func (r twistPublisher) drive(v, w float64) error {
	return r.pub.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: v}, Angular: geometry_msgs.Vector3{Z: w}})
}

// stampedPublisher publishes TwistStamped.
type stampedPublisher struct {
	node *ros2.Node
	pub  *ros2.Publisher[geometry_msgs.TwistStamped]
}

func (r stampedPublisher) drive(v, w float64) error {
	m := geometry_msgs.TwistStamped{Twist: geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: v}, Angular: geometry_msgs.Vector3{Z: w}}}
	m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(r.node.Now())
	m.Header.FrameID = "base_link"
	return r.pub.Publish(&m)
}

// teleopView is the displayed state of the robot: speed, ranges, battery.
type teleopView struct {
	mu      sync.Mutex
	v, w    float64
	ranges  map[string]float64 // m, by topic
	voltage float64
	moved   bool // odometry was received
}

// newTeleopView subscribes to the robot in a node's namespace; missing values stay unknown.
func newTeleopView(n *ros2.Node) (*teleopView, error) {
	t := &teleopView{ranges: map[string]float64{}, voltage: math.NaN()}
	qos := ros2.SensorDataQoS()
	_, err := ros2.Listen(n, "odom", qos, func(m *nav_msgs.Odometry) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.v, t.w, t.moved = m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z, true
	})
	errs := []error{err}
	_, err = ros2.Listen(n, "battery_state", qos, func(m *sensor_msgs.BatteryState) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.voltage = float64(m.Voltage)
	})
	errs = append(errs, err)
	topics := []string{"tof"}
	for i := range 8 {
		topics = append(topics, "ps"+strconv.Itoa(i))
	}
	for _, topic := range topics {
		_, err := ros2.Listen(n, topic, qos, func(m *sensor_msgs.Range) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.ranges[topic] = float64(m.Range)
		})
		errs = append(errs, err)
	}
	return t, errors.Join(errs...)
}

// show shows a status line within the width of out until ctx ends. The error is that of the terminal.
func (t *teleopView) show(ctx context.Context, out *os.File, h *input) error {
	tick := time.NewTicker(tty.StatusPeriod)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(out, tty.ClearLine+tty.Fit(out, t.line(h))); err != nil {
			return fmt.Errorf("%w: %w", errInputClosed, err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			_, err := io.WriteString(out, "\n")
			return err
		}
	}
}

// line returns the status line: speeds of the keys, odometry, nearest obstacles, battery.
func (t *teleopView) line(h *input) string {
	v, w := h.speeds()
	t.mu.Lock()
	defer t.mu.Unlock()
	doing := "waiting for odom"
	if t.moved {
		doing = fmt.Sprintf("odom %+.3f %+.2f", t.v, t.w)
	}
	nearest, ahead := math.Inf(1), math.Inf(1)
	for topic, r := range t.ranges {
		if topic == "tof" {
			ahead = r
		} else {
			nearest = math.Min(nearest, r)
		}
	}
	line := fmt.Sprintf("keys %.3f m/s %.2f rad/s | %s | tof %s | ps %s", v, w, doing, tty.NearestText(ahead), tty.NearestText(nearest))
	if !math.IsNaN(t.voltage) {
		line += fmt.Sprintf(" | %.2f V", t.voltage)
	}
	return line
}
