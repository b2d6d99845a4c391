// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// drive runs a driver on a robot over Wi-Fi and returns its node, a user's node, and a function that ends it.
func drive(r *rig, robotArgs string) (node, user *ros2.Node, end func()) {
	r.Helper()
	args, _, err := ros2.ParseArgs(append([]string{"--ros-args", "-p", "camera.width:=160", "-p", "camera.height:=120"}, strings.Fields(robotArgs)...))
	r.must(err)
	ether := ros2test.NewNetwork()
	node, err = ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: ether.NewTransport(), Args: args})
	r.must(err)
	user, err = ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: ether.NewTransport()})
	r.must(err)
	d, err := driver.New(driver.Config{
		Node: node, Hardware: r.robot, Logger: slog.New(slog.DiscardHandler),
		Camera: func(string) (camera.Device, error) { return r.robot.Camera(), nil },
	})
	r.must(err)
	r.must(d.Probe(context.Background()))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	return node, user, func() {
		cancel()
		r.must(<-ended)
		r.must(d.Close())
		r.must(node.Close())
		r.must(user.Close())
	}
}

// A robot over Wi-Fi has the topics of one with a Pi-puck, except for the Pi-puck's own LEDs.
func TestInterfaceIsThatOfTheTable(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		node, _, end := drive(r, "-r __ns:=/robot1")
		defer end()
		time.Sleep(5 * time.Second) // the parts have started
		want := map[string]string{}
		for _, row := range table.Topics() {
			for _, name := range row.Names() {
				if !strings.HasPrefix(name, "/") {
					name = "/robot1/" + name
				}
				if row.Name != "pi_led" {
					want[name] = row.Type
				}
			}
		}
		for _, row := range table.Services() {
			want["/robot1/"+row.Name] = row.Type
		}
		for _, e := range node.Graph().EndpointsOf(node.Name()) {
			if _, ok := want[e.Topic]; !ok {
				t.Errorf("%v of %s is not in the table", e.Kind, e.Topic)
			}
			delete(want, e.Topic)
		}
		for topic := range want {
			t.Errorf("%s is only in the table", topic)
		}
	})
}

// The wheels stop when commands end, and when the program ends. Pictures and sensors arrive meanwhile.
func TestDriverStopsTheWheels(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		_, user, end := drive(r, "")
		cmd, err := ros2.NewPublisher[geometry_msgs.Twist](user, "cmd_vel", ros2.DefaultQoS())
		r.must(err)
		var pictures, samples atomic.Int32
		_, err = ros2.NewSubscription(user, "image_raw", ros2.DefaultQoS(), func(m *sensor_msgs.Image, _ ros2.MessageInfo) {
			if m.Width == 160 && m.Height == 120 {
				pictures.Add(1)
			}
		})
		r.must(err)
		_, err = ros2.NewSubscription(user, "imu", ros2.DefaultQoS(), func(*sensor_msgs.Imu, ros2.MessageInfo) { samples.Add(1) })
		r.must(err)
		time.Sleep(3 * time.Second)
		move := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.05}}
		for range 20 {
			r.must(cmd.Publish(&move))
			time.Sleep(100 * time.Millisecond)
		}
		if v := r.speeds(); v[0] < 350 {
			t.Errorf("commanded, the wheels turn at %v", v)
		}
		time.Sleep(700 * time.Millisecond) // cmd_vel_timeout is 0.5 s
		if v := r.speeds(); v != [2]float64{} {
			t.Errorf("without commands the wheels turn at %v", v)
		}
		if p, s := pictures.Load(), samples.Load(); p < 15 || s < 60 {
			t.Errorf("%d pictures and %d samples in 5.7 s", p, s)
		}
		r.must(cmd.Publish(&move))
		time.Sleep(200 * time.Millisecond)
		end()
		if v := r.speeds(); v != [2]float64{} {
			t.Errorf("at the end the wheels turn at %v", v)
		}
	})
}
