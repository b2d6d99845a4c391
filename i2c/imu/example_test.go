// SPDX-License-Identifier: Apache-2.0

package imu_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// still is a robot at rest.
type still struct{}

func (still) Motion() vimu.Motion {
	return vimu.Motion{Accel: [3]float64{0, 0, 9.80665}, Temperature: 25}
}

// The owner of the bus polls the IMU, and calibrates it while the robot is at rest.
func Example() {
	var now time.Duration
	bus := vbus.New(vbus.Config{})
	chip := vimu.New(vimu.Config{Model: vimu.ICM20948, Now: func() time.Duration { return now }, Body: still{}, Noise: noise.New(1)})
	if err := bus.Attach(vimu.AddressHigh, chip); err != nil {
		fmt.Println(err)
		return
	}
	dev, err := imu.New(bus, 0, &imu.Opts{Rate: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := dev.Calibrate(imu.CalibrationOpts{Level: true}); err != nil {
		fmt.Println(err)
	}
	for range 400 {
		now += 10 * time.Millisecond
		if _, err := dev.Poll(time.Unix(0, 0).Add(now)); err != nil {
			fmt.Println(err)
		}
		if _, err := dev.Calibration(); !errors.Is(err, imu.ErrCalibrating) {
			break
		}
	}
	var s imu.Reading
	if err := dev.Sense(&s); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%v, %.1f m/s²\n", dev, s.Accel[2])
	// Output: ICM-20948 vbus(0x69), 9.8 m/s²
}
