// SPDX-License-Identifier: Apache-2.0

package pictures

import (
	"context"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	// sensorSearch is how long after the start the sensor may take to be found.
	sensorSearch = 1500 * time.Millisecond
	// sensorSetUp is how long a picture waits for its sensor to be set up. It takes 0.6 s, longer when the bus is
	// disturbed.
	sensorSetUp = 3 * time.Second
	// sensorLook lies between two looks at it.
	sensorLook = 10 * time.Millisecond
)

// sensorFirst is a camera that is opened once its sensor has been set up: before that its pictures have wrong colours.
// One without a sensor that we know of, a webcam for instance, is opened at once.
type sensorFirst struct {
	camera.Device
	clock  ros2.Clock
	sensor func() (device.State, bool)
	began  time.Time // of the search
}

// Open implements camera.Device.
func (s sensorFirst) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	asked := s.clock.Now()
	timer := s.clock.NewTimer(sensorLook)
	defer timer.Stop()
	for !s.ready(s.clock.Now(), asked) {
		select {
		case <-timer.C():
			timer.Reset(sensorLook)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	timer.Stop() // before the camera is opened, which may take long
	return s.Device.Open(ctx, want)
}

// ready reports whether there is nothing to wait for any more.
func (s sensorFirst) ready(now, asked time.Time) bool {
	state, looked := s.sensor()
	switch {
	case looked && state == device.Absent:
		return now.Sub(s.began) >= sensorSearch
	case looked && state == device.Starting:
		return now.Sub(asked) >= sensorSetUp
	}
	return true
}
