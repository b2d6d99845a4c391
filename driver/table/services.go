// SPDX-License-Identifier: Apache-2.0

package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

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
	// Meaning is the service's effect, in one line.
	Meaning string
	// Part is the part of the robot that the service requires, empty if every robot has it.
	Part string

	act func(a actions, ctx context.Context) error // nil: the part offers it
}

// actions are the actions of the services. Each returns when it is done.
type actions interface {
	ResetOdometry(ctx context.Context) error
	CalibrateIR(ctx context.Context) error
	CalibrateIMU(ctx context.Context) error
}

// ServiceCameraInfo is the service that the camera offers.
const ServiceCameraInfo = "set_camera_info"

// ServiceCalibrator is the same service under the name that image_pipeline's cameracalibrator calls.
const ServiceCalibrator = "camera/set_camera_info"

// Services returns the table of the driver's own services. The caller owns the slice.
func Services() []Service {
	const trigger = "std_srvs/srv/Trigger"
	return []Service{
		{"reset_odometry", trigger, "pose to zero, nothing jumps", "", actions.ResetOdometry},
		{"calibrate_ir", trigger,
			"stops the wheels, measures the infrared sensors' offsets with nothing within 10 cm; answers when done", "", actions.CalibrateIR},
		{"calibrate_imu", trigger,
			"stops the wheels, measures the gyroscope's bias with the robot at rest; answers when done", "", actions.CalibrateIMU},
		{ServiceCameraInfo, "sensor_msgs/srv/SetCameraInfo",
			"stores the camera's calibration in its file and uses it", string(parts.Pictures), nil},
		{ServiceCalibrator, "sensor_msgs/srv/SetCameraInfo",
			"the same, under the name that `cameracalibrator` calls", string(parts.Pictures), nil},
	}
}

// NewServices creates the services of the table, except those of parts. On an error no service remains.
func NewServices(n *ros2.Node, a actions, log *slog.Logger) ([]io.Closer, error) {
	var all []io.Closer
	for _, row := range Services() {
		if row.Part != "" {
			continue
		}
		s, err := ros2.NewService(n, std_srvs.Trigger{}, row.Name, row.trigger(a, log))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("driver: %w", err), CloseServices(all))
		}
		all = append(all, s)
	}
	return all, nil
}

// trigger returns the handler that runs the row's action. An error is returned in the response's message.
func (row Service) trigger(a actions, log *slog.Logger) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	return func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		if err := row.act(a, ctx); err != nil {
			if ctx.Err() != nil { // the service is closing
				return nil, err
			}
			log.Warn("a service failed", "service", row.Name, "error", err)
			return &std_srvs.TriggerResponse{Message: err.Error()}, nil
		}
		return &std_srvs.TriggerResponse{Success: true, Message: "done"}, nil
	}
}

// CloseServices closes the services.
func CloseServices(services []io.Closer) error {
	var errs []error
	for _, s := range services {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
