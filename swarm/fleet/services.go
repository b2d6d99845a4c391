// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// offerServices offers the driver's services.
func (f *functional) offerServices() error {
	for _, row := range table.Services() {
		var err error
		var s interface{ Close() error }
		switch row.Type {
		case std_srvs.Trigger{}.ROSType():
			s, err = ros2.NewService(f.node, std_srvs.Trigger{}, row.Name, f.trigger(row.Name))
		case sensor_msgs.SetCameraInfo{}.ROSType():
			s, err = ros2.NewService(f.node, sensor_msgs.SetCameraInfo{}, row.Name, f.pictures.setInfo)
		}
		if err != nil {
			return fmt.Errorf("fleet: %s: %w", row.Name, err)
		}
		if s != nil { // a test finds what is missing
			f.closers = append(f.closers, s.Close)
		}
	}
	return nil
}

// trigger answers a request. Sensors without chips are calibrated already; the wheels stop all the same, as the one who
// calibrates expects.
func (f *functional) trigger(name string) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	return func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		if name == "reset_odometry" {
			f.resets.Store(true)
		} else {
			f.command(&geometry_msgs.Twist{})
		}
		return &std_srvs.TriggerResponse{Success: true, Message: "done"}, nil
	}
}
