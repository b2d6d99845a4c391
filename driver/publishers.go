// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// newOutputs offers the topics of the rows, in their order. On an error nothing stays offered.
func newOutputs(n *ros2.Node, set *settings, rows []Topic) ([]output, error) {
	var all []output
	for _, row := range rows {
		for i, name := range row.Names() {
			out, err := newOutput(n, row, i, name, set.prefix)
			if err != nil {
				return nil, errors.Join(fmt.Errorf("driver: %w", err), closeOutputs(all))
			}
			all = append(all, out)
		}
	}
	return all, nil
}

// newOutput offers member i of a row.
func newOutput(n *ros2.Node, row Topic, i int, name, prefix string) (output, error) {
	frame := prefix + row.Frame
	if len(row.Numbers) > 0 {
		frame = fmt.Sprintf("%s%s%d", prefix, row.Frame, row.Numbers[i])
	}
	switch row.Name {
	case topicOdom:
		return offer(newTopic[nav_msgs.Odometry](n, row, name, buildOdometry))
	case topicTF:
		return offer(newTopic[tf2_msgs.TFMessage](n, row, name, newTransform()))
	case topicTFStatic:
		return offer(newTopic[tf2_msgs.TFMessage](n, row, name, buildStaticTransforms))
	case topicScan:
		return offer(newTopic[sensor_msgs.LaserScan](n, row, name, newScan(frame)))
	case topicRange:
		return offer(newTopic[jazzy.Range](n, row, name, newRange(i, frame)))
	case topicCounts:
		return offer(newTopic[std_msgs.UInt16MultiArray](n, row, name, newCounts()))
	case topicLight:
		return offer(newTopic[sensor_msgs.Illuminance](n, row, name, newIlluminance(i, frame)))
	case topicJoints:
		return offer(newTopic[sensor_msgs.JointState](n, row, name, newJointStates()))
	case topicMic:
		return offer(newTopic[std_msgs.Int16](n, row, name, newVolume(i)))
	case topicButton:
		return offer(newTopic[std_msgs.Bool](n, row, name, newButton()))
	case topicSelector:
		return offer(newTopic[std_msgs.UInt8](n, row, name, newSelector()))
	case topicRemote:
		return offer(newTopic[std_msgs.UInt8](n, row, name, newRemote()))
	case topicToF:
		return offer(newTopic[jazzy.Range](n, row, name, newToF(frame)))
	case topicGround:
		return offer(newTopic[jazzy.Range](n, row, name, newGround(i, frame)))
	case topicIMU:
		return offer(newTopic[sensor_msgs.Imu](n, row, name, newInertial(frame)))
	case topicMag:
		return offer(newTopic[sensor_msgs.MagneticField](n, row, name, newMagneticField(frame)))
	case topicBattery:
		return offer(newTopic[sensor_msgs.BatteryState](n, row, name, buildBattery))
	case topicURDF:
		return offer(newTopic[std_msgs.String](n, row, name, buildDescription))
	default:
		return nil, fmt.Errorf("%w: nothing publishes topic %q", ErrConfig, row.Name)
	}
}

// offer makes an output of a topic; a nil topic does not become an output that is not nil.
func offer[T any](t *topic[T], err error) (output, error) {
	if err != nil {
		return nil, err
	}
	return t, nil
}

func closeOutputs(outputs []output) error {
	var errs []error
	for _, o := range outputs {
		errs = append(errs, o.close())
	}
	return errors.Join(errs...)
}
