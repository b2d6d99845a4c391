// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// newVolume returns the builder of the volume at microphone i. The robot's values reach 65,535; the type of the
// topic, which programs for this robot expect, is limited to 32,767: values saturate there, and diagnostics count
// them.
func newVolume(i int) func(m *std_msgs.Int16, r *Reading) bool {
	return func(m *std_msgs.Int16, r *Reading) bool {
		m.Data = int16(min(r.Sensors.Microphone[i], math.MaxInt16))
		return true
	}
}

// newButton returns the builder of the button's state: the first one and each change.
func newButton() func(m *std_msgs.Bool, r *Reading) bool {
	known := false
	return func(m *std_msgs.Bool, r *Reading) bool {
		if r.Sensors.Refused.Has(mcu.ValueSelector) || known && m.Data == r.Sensors.Button {
			return false
		}
		known, m.Data = true, r.Sensors.Button
		return true
	}
}

// newSelector returns the builder of the selector's position: the first one and each change.
func newSelector() func(m *std_msgs.UInt8, r *Reading) bool {
	known := false
	return func(m *std_msgs.UInt8, r *Reading) bool {
		if r.Sensors.Refused.Has(mcu.ValueSelector) || known && m.Data == r.Sensors.Selector {
			return false
		}
		known, m.Data = true, r.Sensors.Selector
		return true
	}
}

// newRemote returns the builder of the TV remote control's commands. The robot keeps the last command, so the first
// reading is ignored, as is the first one after an outage: only a change that was observed is a key press.
func newRemote() func(m *std_msgs.UInt8, r *Reading) bool {
	return func(m *std_msgs.UInt8, r *Reading) bool {
		pressed := !r.First && m.Data != r.Sensors.Remote
		m.Data = r.Sensors.Remote
		return pressed
	}
}

// newJointStates returns the builder of the wheels' measured angles and speeds. Joint names are those of the robot's
// description and carry no frame prefix, as robot_state_publisher expects.
func newJointStates() func(m *sensor_msgs.JointState, r *Reading) bool {
	joints := epuck2.JointNames()
	names := joints[:]
	var position, velocity [2]float64
	return func(m *sensor_msgs.JointState, r *Reading) bool {
		m.Header.Stamp = r.Stamp
		position = [2]float64{r.Pose.Left.Angle, r.Pose.Right.Angle}
		velocity = [2]float64{r.Pose.Left.Velocity, r.Pose.Right.Velocity}
		m.Name, m.Position, m.Velocity = names, position[:], velocity[:]
		return true
	}
}

// newInertial returns the builder of the IMU's message in the given frame, by REP 145: the acceleration includes
// gravity, and the covariance marks the orientation as unknown.
func newInertial(frame string) func(m *sensor_msgs.Imu, r *Reading) bool {
	return func(m *sensor_msgs.Imu, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.IMU.Stamp, frame
		m.Orientation.W = 1
		m.OrientationCovariance[0] = -1
		a, w := &r.IMU.Accel, &r.IMU.Gyro
		m.LinearAcceleration.X, m.LinearAcceleration.Y, m.LinearAcceleration.Z = a[0], a[1], a[2]
		m.AngularVelocity.X, m.AngularVelocity.Y, m.AngularVelocity.Z = w[0], w[1], w[2]
		for i := range 3 {
			m.LinearAccelerationCovariance[4*i] = r.IMU.AccelVar[i]
			m.AngularVelocityCovariance[4*i] = r.IMU.GyroVar[i]
		}
		return true
	}
}

// newMagneticField returns the builder of the magnetometer's message in the given frame.
func newMagneticField(frame string) func(m *sensor_msgs.MagneticField, r *Reading) bool {
	return func(m *sensor_msgs.MagneticField, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.Mag.Stamp, frame
		f := &r.Mag.Field
		m.MagneticField.X, m.MagneticField.Y, m.MagneticField.Z = f[0], f[1], f[2]
		for i := range 3 {
			m.MagneticFieldCovariance[4*i] = r.Mag.Variance
		}
		return true
	}
}

// buildDescription builds the robot's description.
func buildDescription(m *std_msgs.String, r *Reading) bool {
	m.Data = epuck2.URDF(strings.TrimPrefix(r.Set.BaseFrame, r.Set.Prefix), r.Set.Wheels)
	return true
}

// buildBattery builds the robot's battery state. Only voltages are measured, other fields are NaN.
func buildBattery(m *sensor_msgs.BatteryState, r *Reading) bool {
	b, nan := &r.Battery, float32(math.NaN())
	m.Header.Stamp = b.Stamp
	m.Voltage, m.Percentage = float32(b.Robot.Voltage), float32(b.Robot.Charge)
	m.Temperature, m.Current, m.Charge, m.Capacity, m.DesignCapacity = nan, nan, nan, nan, nan
	m.Present = b.Robot.Connected
	m.PowerSupplyTechnology = sensor_msgs.BatteryStatePowerSupplyTechnologyLiIon
	m.PowerSupplyHealth = sensor_msgs.BatteryStatePowerSupplyHealthUnknown
	m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusUnknown
	switch b.Charging {
	case battery.Recharging:
		m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusCharging
	case battery.Discharging:
		m.PowerSupplyStatus = sensor_msgs.BatteryStatePowerSupplyStatusDischarging
	}
	return true
}
