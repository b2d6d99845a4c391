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
	// sensorSearch is the maximum time until the sensor is found after the start.
	sensorSearch = 1500 * time.Millisecond
	// sensorSetUp is how long the camera waits for the set-up of its sensor, which takes 0.6 s, longer when the bus is
	// disturbed.
	sensorSetUp = 3 * time.Second
	// sensorLook is the time between two checks of the sensor.
	sensorLook = 10 * time.Millisecond
)

// sensorFirst is a camera that is opened after its sensor has been set up: before that its pictures have wrong colours.
// A camera without a known sensor, such as a webcam, is opened at once.
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

// ready reports whether the camera can be opened.
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
