// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestEndsFromTopicRefusesWhatIsNotInThePlane: a tracker whose axes are not the robot's, or that lost it, is named.
func TestEndsFromTopicRefusesWhatIsNotInThePlane(t *testing.T) {
	for name, c := range map[string]struct {
		q    geometry_msgs.Quaternion
		want error
	}{
		"y is up": {geometry_msgs.Quaternion{X: 0.7071068, W: 0.7071068}, planar.ErrTilted},
		"zeros":   {geometry_msgs.Quaternion{}, planar.ErrRotation},
		"long":    {geometry_msgs.Quaternion{Z: 1, W: 1}, planar.ErrRotation},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ether := ros2test.NewNetwork()
				node := func(name string) *ros2.Node {
					n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: ether.NewTransport()})
					if err != nil {
						t.Fatal(err)
					}
					return n
				}
				tracker, user := node("tracker"), node("user")
				pub, err := ros2.NewPublisher[geometry_msgs.PoseStamped](tracker, "mocap", ros2.DefaultQoS())
				if err != nil {
					t.Fatal(err)
				}
				ends, closer, err := FromTopic(user, "mocap")
				if err != nil {
					t.Fatal(err)
				}
				stop := make(chan struct{})
				done := make(chan struct{})
				go func() {
					defer close(done)
					for {
						select {
						case <-stop:
							return
						case <-time.After(20 * time.Millisecond):
							m := &geometry_msgs.PoseStamped{}
							m.Pose.Orientation = c.q
							if err := pub.Publish(m); err != nil {
								t.Error(err)
							}
						}
					}
				}()
				if err := ends.Begin(t.Context(), "straight 1"); !errors.Is(err, c.want) {
					t.Error(err)
				}
				close(stop)
				<-done
				if err := errors.Join(closer.Close(), pub.Close(), tracker.Close(), user.Close()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
