// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Service is one row of the table of services.
type Service struct {
	// Name is the service's name, relative to the node's namespace.
	Name string
	// Type is the interface as in "std_srvs/srv/Trigger".
	Type string
	// Meaning is what it does, in one line.
	Meaning string
	// Part is what the robot must have for it, empty if every robot has it.
	Part string

	act func(d *Driver, ctx context.Context) error // nil: the part offers it
}

// serviceCameraInfo is the service that the camera offers.
const serviceCameraInfo = "set_camera_info"

// serviceCalibrator is the same under the name that image_pipeline's cameracalibrator calls.
const serviceCalibrator = "camera/set_camera_info"

// Services returns the table of the driver's own services. The caller owns the slice.
func Services() []Service {
	const trigger = "std_srvs/srv/Trigger"
	return []Service{
		{"reset_odometry", trigger, "pose to zero, nothing jumps", "", (*Driver).ResetOdometry},
		{"calibrate_ir", trigger, "stops the wheels, measures the infrared sensors' offsets with nothing within 10 cm; answers when done", "", (*Driver).CalibrateIR},
		{"calibrate_imu", trigger, "stops the wheels, measures the gyroscope's bias with the robot at rest; answers when done", "", (*Driver).CalibrateIMU},
		{serviceCameraInfo, "sensor_msgs/srv/SetCameraInfo", "stores the camera's calibration in its file and uses it", string(parts.Pictures), nil},
		{serviceCalibrator, "sensor_msgs/srv/SetCameraInfo", "the same, under the name that `cameracalibrator` calls", string(parts.Pictures), nil},
	}
}

// newServices offers every service of the table. On an error nothing stays offered.
func (d *Driver) newServices() ([]io.Closer, error) {
	var all []io.Closer
	for _, row := range Services() {
		if row.Part != "" {
			continue
		}
		s, err := ros2.NewService(d.node, std_srvs.Trigger{}, row.Name, d.trigger(row))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("driver: %w", err), closeServices(all))
		}
		all = append(all, s)
	}
	return all, nil
}

// trigger answers a request by doing what the row says. What went wrong is the answer's message.
func (d *Driver) trigger(row Service) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	return func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		if err := row.act(d, ctx); err != nil {
			if ctx.Err() != nil { // the service closes
				return nil, err
			}
			d.log.Warn("a service failed", "service", row.Name, "error", err)
			return &std_srvs.TriggerResponse{Message: err.Error()}, nil
		}
		return &std_srvs.TriggerResponse{Success: true, Message: "done"}, nil
	}
}

func closeServices(services []io.Closer) error {
	var errs []error
	for _, s := range services {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
