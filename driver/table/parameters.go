// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Parameter is one row of the table of parameters.
type Parameter struct {
	// Name is the parameter's name.
	Name string
	// Default is the default value; its type is the parameter's: boolean, integer, double, string, or an array of
	// integers or doubles.
	Default ros2.ParameterValue
	// Min and Max bound a double or an integer, both inclusive. They are equal for the other types.
	Min, Max float64
	// Step is the difference between valid values, counted from Min; 0 permits all.
	Step float64
	// Choices lists the valid strings; none permits any.
	Choices []string
	// Unit is the unit of a number, empty if it has none.
	Unit string
	// Dynamic reports that the parameter can change while the driver runs.
	Dynamic bool
	// Meaning is the description in one line.
	Meaning string

	// read reads a value into the settings, or rejects it. It is nil for parameters that other code reads: use_sim_time
	// and the calibrations' notes.
	read reader
}

// Names of the parameters.
const (
	paramBus         = "i2c_bus"
	paramRate        = "rate"
	ParamRadius      = "wheel_radius"
	ParamDistance    = "wheel_distance"
	ParamMaxSpeed    = "max_wheel_speed"
	paramSpeedUnit   = "speed_unit"
	ParamTimeout     = "cmd_vel_timeout"
	paramStamped     = "cmd_vel_stamped"
	ParamPublishTF   = "publish_tf"
	paramOdomFrame   = "odom_frame"
	paramBaseFrame   = "base_frame"
	paramFramePrefix = "frame_prefix"
	ParamScanInvalid = "scan_invalid"
	paramRangeClear  = "range_clear"
	paramLEDType     = "led_type"
	ParamSimTime     = "use_sim_time"
	paramIMURate     = "imu_rate"
	paramIMURotation = "imu_rotation"
	paramToFRate     = "tof_rate"
	paramToFProfile  = "tof_profile"
	paramGroundRate  = "ground_rate"
	paramMagRate     = "mag_rate"
	paramMagRotation = "mag_rotation"
	paramBatteryOff  = "battery_poweroff"
	paramButtonOff   = "button_poweroff"

	paramCameraSetup    = "camera.setup"
	paramCameraMirror   = "camera.mirror"
	paramCameraFlip     = "camera.flip"
	paramCameraExposure = "camera.exposure"
	paramCameraGain     = "camera.gain"
	ParamCameraDevice   = "camera.device"
	ParamCameraWidth    = "camera.width"
	ParamCameraHeight   = "camera.height"
	ParamCameraRate     = "camera.framerate"
	ParamCameraQuality  = "camera.quality"
	ParamCameraEncoding = "camera.encoding"
	ParamCameraEncoder  = "camera.encoder"
	ParamCameraInfoURL  = "camera.camera_info_url"
	ParamCameraName     = "camera.camera_name"
)

// stepAngle is the turn of a wheel in one motor step in radians: 1000 steps a turn.
const stepAngle = 2 * math.Pi / robot.StepsPerTurn

// Parameters returns the table of the driver's parameters, from which their ROS descriptors, the settings, the
// documentation's table and the default parameter file are generated. The caller owns the slice.
func Parameters() []Parameter {
	return slices.Concat(robotParameters(), threadParameters(), calibrationParameters(), cameraParameters(), []Parameter{
		flag(paramBatteryOff, false, false,
			"switch the Raspberry Pi off cleanly when the battery is critical; the wheels are stopped with or "+
				"without it").
			bool(func(s *draft) *bool { return &s.PowerOff }),
		flag(paramButtonOff, true, false,
			"switch the Raspberry Pi off cleanly when the Pi-puck's button is held for two seconds; the wheels "+
				"stop first").
			bool(func(s *draft) *bool { return &s.ButtonOff }),
		flag(ParamSimTime, false, true,
			"stamp messages with the time of `/clock`; the control loop uses the machine's clock"),
	})
}

// robotParameters are the rows of the robot and its chips.
func robotParameters() []Parameter {
	return []Parameter{
		text(paramBus, "auto", false,
			"I2C bus of the robot: `auto` finds the Pi-puck's channel, else a number or a path").
			text(func(s *draft) *string { return &s.Bus }),
		number(paramRate, 20, 1, 100, "Hz", false,
			"control cycle: one exchange with the robot, one message on each topic that has a subscriber").
			reads(func(s *draft, v ros2.ParameterValue) error { s.Period = ros2.Seconds(1 / v.Double()); return nil }),
		number(ParamRadius, robot.WheelRadius, 0.001, 0.1, "m", true,
			"wheel radius, the mean of both wheels, for odometry and commands; a change does not move the pose").
			double(func(s *draft) *float64 { return &s.Wheels.Radius }),
		number(ParamDistance, robot.WheelDistance, 0.01, 0.5, "m", true,
			"distance between the wheels; a change does not move the pose").
			double(func(s *draft) *float64 { return &s.Wheels.Distance }),
		number(ParamMaxSpeed, 6.91, 0.01, 6.98, "rad/s", true,
			"fastest wheel speed, 1100 motor steps/s; faster commands are scaled down keeping the curvature").
			double(func(s *draft) *float64 { return &s.Wheels.MaxSpeed }),
		number(paramSpeedUnit, stepAngle, 0.001, 0.1, "rad", false,
			"wheel turn per motor step in commands; 0.0068 reproduces the original driver, whose commands are 7.6 % too slow").
			double(func(s *draft) *float64 { return &s.Wheels.SpeedUnit }),
		number(ParamTimeout, 0.5, 0, 60, "s", true,
			"the wheels stop when no `cmd_vel` arrived for this long, at least 0.01; 0, which only the command line or a file "+
				"can set, keeps the last command indefinitely; the maximum at run time is 5").
			timeout(func(s *draft) *time.Duration { return &s.Timeout }),
		flag(paramStamped, false, false, "`cmd_vel` is a geometry_msgs/TwistStamped instead of a Twist").
			bool(func(s *draft) *bool { return &s.Stamped }),
		flag(ParamPublishTF, true, true, "publish the transform from `odom_frame` to `base_frame`").
			bool(func(s *draft) *bool { return &s.PublishTF }),
		text(paramOdomFrame, "odom", false, "name of the frame the pose is given in").
			frame(func(s *draft) *string { return &s.OdomFrame }),
		text(paramBaseFrame, "base_link", false, "name of the robot's own frame").
			frame(func(s *draft) *string { return &s.BaseFrame }),
		text(paramFramePrefix, "", false, "prefix of every frame name, for instance `robot1/`").
			frame(func(s *draft) *string { return &s.Prefix }),
		choice(ParamScanInvalid, []string{string(epuck2.InvalidNaN), string(epuck2.InvalidInf), string(epuck2.InvalidZero)}, true,
			"value of a `scan` ray that was not measured up to `range_max`: `nan` is neutral, `inf` clears "+
				"costmaps all around, `zero` is that of the original driver").
			reads(func(s *draft, v ros2.ParameterValue) error { s.InvalidRay = epuck2.InvalidRay(v.Str()); return nil }),
		choice(paramRangeClear, []string{string(clearInf), string(clearMax)}, true,
			"value of `ps…` and `tof` without an object in range: `inf` (REP 117) or `max`, exactly `max_range`, "+
				"with which Nav2's RangeSensorLayer clears").
			reads(func(s *draft, v ros2.ParameterValue) error { s.RangeClear = RangeClear(v.Str()); return nil }),
		choice(paramLEDType, []string{string(ledInt32), string(ledBool)}, false,
			"type of `led0`, `led2`, `led4` and `led6`: std_msgs/Int32 or, as in the original driver, std_msgs/Bool").
			reads(func(s *draft, v ros2.ParameterValue) error { s.LEDType = LEDType(v.Str()); return nil }),
		number(paramIMURate, 20, 0, 100, "Hz", false, "rate of the IMU; 0 disables it, as for the three below").
			double(func(s *draft) *float64 { return &s.IMURate }),
		list(paramIMURotation, []float64{0, -1, 0, 1, 0, 0, 0, 0, 1},
			"rotation from the IMU chip's axes to the robot's, row-major; nose up must give +x acceleration, "+
				"anticlockwise +z rotation").
			rotation(func(s *draft) *[9]float64 { return &s.IMURotation }),
		number(paramToFRate, 20, 0, 50, "Hz", false,
			"rate of the time-of-flight sensor; its profile may be slower").
			double(func(s *draft) *float64 { return &s.ToFRate }),
		choice(paramToFProfile, profileNames(), false, "ranging profile of the time-of-flight sensor").
			reads(func(s *draft, v ros2.ParameterValue) (err error) {
				s.ToFProfile, err = vl53l0x.ParseProfile(v.Str())
				return err
			}),
		number(paramGroundRate, 20, 0, 100, "Hz", false, "rate of the ground sensors").
			double(func(s *draft) *float64 { return &s.GroundRate }),
		number(paramMagRate, 8, 0, 30, "Hz", false, "rate of the magnetometer").
			double(func(s *draft) *float64 { return &s.MagRate }),
		list(paramMagRotation, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
			"the same for the magnetometer of the Pi-puck board; the IMU's own turns with the IMU").
			rotation(func(s *draft) *[9]float64 { return &s.MagRotation }),
		flag(paramCameraSetup, true, false, "set the camera's sensor up over I2C; otherwise another program must").
			reads(func(s *draft, v ros2.ParameterValue) error { s.CameraSetup = v.Bool(); return nil }),
		flag(paramCameraMirror, false, false, "the sensor mirrors the picture left to right").
			bool(func(s *draft) *bool { return &s.Camera.Mirror }),
		flag(paramCameraFlip, false, false, "the sensor flips the picture top to bottom").
			bool(func(s *draft) *bool { return &s.Camera.Flip }),
		number(paramCameraExposure, 0, 0, camsensor.MaxExposure.Seconds(), "s", false,
			"exposure time; 0 is automatic").
			seconds(func(s *draft) *time.Duration { return &s.Camera.Exposure }),
		number(paramCameraGain, 0, 0, camsensor.MaxGain, "", false,
			"gain, from 1; 0 is automatic").
			double(func(s *draft) *float64 { return &s.Camera.Gain }),
	}
}

// TypeName returns the parameter's type as ROS users write it: "bool", "int", "double", "string", "int array" or
// "double array".
func (p Parameter) TypeName() string {
	switch t := p.Default.Type(); t {
	case ros2.ParameterBool:
		return "bool"
	case ros2.ParameterInteger:
		return "int"
	case ros2.ParameterIntegerArray:
		return "int array"
	default:
		return t.String()
	}
}

// descriptor returns the declaration of the parameter for a node.
func (p Parameter) descriptor() ros2.ParameterDescriptor {
	d := ros2.ParameterDescriptor{
		Name: p.Name, Type: p.Default.Type(), Default: p.Default, Description: strings.ReplaceAll(p.Meaning, "`", ""),
		OneOf: p.Choices, ReadOnly: !p.Dynamic,
	}
	if p.Unit != "" {
		d.Constraints = "unit: " + p.Unit
	}
	switch {
	case p.Min == p.Max:
	case p.Default.Type() == ros2.ParameterInteger:
		d.IntegerRange = &ros2.IntegerRange{From: int64(p.Min), To: int64(p.Max), Step: uint64(p.Step)}
	default:
		d.FloatRange = &ros2.FloatRange{From: p.Min, To: p.Max, Step: p.Step}
	}
	return d
}
