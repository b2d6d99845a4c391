// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// onNetwork runs a test with a function that joins nodes, in a bubble of simulated time.
func onNetwork(t *testing.T, test func(t *testing.T, join func(name, namespace string) *ros2.Node)) {
	synctest.Test(t, func(t *testing.T) {
		ether := ros2test.NewNetwork()
		test(t, func(name, namespace string) *ros2.Node {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Namespace: namespace, Transport: ether.NewTransport()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = n.Close() })
			return n
		})
	})
}

// TestDriveSpeaksTheRobotsType: a robot with cmd_vel_stamped, which appears later, is driven with its type.
func TestDriveSpeaksTheRobotsType(t *testing.T) {
	onNetwork(t, func(t *testing.T, join func(name, namespace string) *ros2.Node) {
		var heard []float64
		go func() {
			time.Sleep(5 * time.Second)
			robot := join("robot", "/a")
			if _, err := ros2.Listen(robot, "cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.TwistStamped) { heard = append(heard, m.Twist.Linear.X) }); err != nil {
				t.Error(err)
			}
		}()
		var report bytes.Buffer
		pub, err := openPublisher(t.Context(), join("drive", "/a"), &report)
		if err != nil {
			t.Fatal(err)
		}
		if err := (drivePlan{v: 0.1, duration: time.Second}).publish(t.Context(), pub); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if len(heard) < 5 || heard[0] != 0.1 || heard[len(heard)-1] != 0 {
			t.Errorf("the robot got %v", heard)
		}
		if !strings.Contains(report.String(), "waiting for a subscription of /a/cmd_vel: no other node in this ROS domain") {
			t.Errorf("reported %q", report.String())
		}
	})
}

// forbidding is a transport that permits publishing no topic.
type forbidding struct{ ros2.Transport }

var errForbidden = errors.New("not permitted")

func (forbidding) MayPublish(topic string) error { return fmt.Errorf("%s: %w", topic, errForbidden) }

// TestDriveWithoutPermission ends at once, although no robot is there to be waited for.
func TestDriveWithoutPermission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "drive", Namespace: "/a", Transport: forbidding{ros2test.NewNetwork().NewTransport()}})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		began := time.Now()
		if _, err := openPublisher(t.Context(), n, io.Discard); !errors.Is(err, errForbidden) || !strings.Contains(err.Error(), "/a/cmd_vel") || time.Since(began) > 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestDriveNamesWhatIsMissing: after a second, and in the error at the end.
func TestDriveNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name   string
		listen func(n *ros2.Node) error
		want   string
	}{
		{"type", func(n *ros2.Node) error {
			_, err := ros2.Listen(n, "cmd_vel", ros2.DefaultQoS(), func(*std_msgs.String) {})
			return err
		}, "/a/robot uses the type std_msgs/msg/String, not geometry_msgs/msg/Twist"},
		{"namespace", func(n *ros2.Node) error {
			_, err := ros2.Listen(n, "/b/cmd_vel", ros2.DefaultQoS(), func(*geometry_msgs.Twist) {})
			return err
		}, "no node has one; did you mean '/b/cmd_vel'?"},
		{"quality", func(n *ros2.Node) error {
			_, err := ros2.Listen(n, "cmd_vel", ros2.LatchedQoS(), func(*geometry_msgs.Twist) {})
			return err
		}, "/a/robot requests more than is offered here (durability)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onNetwork(t, func(t *testing.T, join func(name, namespace string) *ros2.Node) {
				if err := c.listen(join("robot", "/a")); err != nil {
					t.Fatal(err)
				}
				var report bytes.Buffer
				began := time.Now()
				_, err := openPublisher(t.Context(), join("drive", "/a"), &report)
				if !errors.Is(err, errNoRobot) || !strings.Contains(err.Error(), c.want) || time.Since(began) != robotWait {
					t.Errorf("after %v: %v", time.Since(began), err)
				}
				if !strings.Contains(report.String(), c.want) || strings.Count(report.String(), "\n") != 1 {
					t.Errorf("reported %q", report.String())
				}
			})
		})
	}
}

func TestWaitForRobotEndsWithItsContext(t *testing.T) {
	onNetwork(t, func(t *testing.T, join func(name, namespace string) *ros2.Node) {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		var report bytes.Buffer
		if _, err := openPublisher(ctx, join("drive", "/a"), &report); !errors.Is(err, context.DeadlineExceeded) || report.Len() > 0 {
			t.Errorf("%v, reported %q", err, report.String())
		}
	})
}
