// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Parameter is one row of the table of parameters.
type Parameter struct {
	// Name is the parameter's name.
	Name string
	// Default is the value it has unless something overrides it; the parameter's type is the default's: boolean,
	// integer, double, string or double array.
	Default ros2.ParameterValue
	// Min and Max bound a double or an integer, both inclusive. They are equal for the other types.
	Min, Max float64
	// Step is the distance of the values allowed, counted from Min; 0 allows all.
	Step float64
	// Choices lists the strings that are allowed; none means any.
	Choices []string
	// Unit is the unit of a number, empty if it has none.
	Unit string
	// Dynamic tells that the parameter can change while the driver runs.
	Dynamic bool
	// Meaning is what the parameter is for, in one line.
	Meaning string
}

// Names of the parameters.
const (
	paramBus         = "i2c_bus"
	paramRate        = "rate"
	paramRadius      = "wheel_radius"
	paramDistance    = "wheel_distance"
	paramMaxSpeed    = "max_wheel_speed"
	paramSpeedUnit   = "speed_unit"
	paramTimeout     = "cmd_vel_timeout"
	paramStamped     = "cmd_vel_stamped"
	paramPublishTF   = "publish_tf"
	paramOdomFrame   = "odom_frame"
	paramBaseFrame   = "base_frame"
	paramFramePrefix = "frame_prefix"
	paramScanInvalid = "scan_invalid"
	paramRangeClear  = "range_clear"
	paramLEDType     = "led_type"
	paramSimTime     = "use_sim_time"
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
	paramCameraDevice   = "camera.device"
	paramCameraWidth    = "camera.width"
	paramCameraHeight   = "camera.height"
	paramCameraRate     = "camera.framerate"
	paramCameraQuality  = "camera.quality"
	paramCameraEncoding = "camera.encoding"
	paramCameraEncoder  = "camera.encoder"
	paramCameraInfoURL  = "camera.camera_info_url"
	paramCameraName     = "camera.camera_name"
)

// stepAngle is the turn of a wheel in one motor step in radians: 1000 steps a turn.
const stepAngle = 2 * math.Pi / 1000

// Parameters returns the table of the driver's parameters: the one place that declares them, from which their ROS
// descriptors, the table of the README and the default parameter file are made. The caller owns the slice.
func Parameters() []Parameter {
	return slices.Concat(robotParameters(), calibrationParameters(), cameraParameters(), []Parameter{
		flag(paramBatteryOff, false, false, "switch the Raspberry Pi off cleanly when the battery is critical; the wheels are stopped with or without it"),
		flag(paramButtonOff, true, false, "switch the Raspberry Pi off cleanly when the Pi-puck's button is held for two seconds; the wheels stop first"),
		flag(paramSimTime, false, true, "stamp messages with the time of `/clock`; the control loop keeps to the machine's clock"),
	})
}

// robotParameters are the rows of the robot and its chips.
func robotParameters() []Parameter {
	return []Parameter{
		text(paramBus, "auto", false, "I2C bus of the robot: `auto` finds the Pi-puck's channel, else a number or a path"),
		number(paramRate, 20, 1, 100, "Hz", false, "control cycle: one exchange with the robot, one message on each topic that has a subscriber"),
		number(paramRadius, 0.02, 0.001, 0.1, "m", true, "wheel radius, the mean of both wheels, for odometry and commands; a change does not move the pose"),
		number(paramDistance, 0.05685, 0.01, 0.5, "m", true, "distance between the wheels; a change does not move the pose"),
		number(paramMaxSpeed, 6.91, 0.01, 6.98, "rad/s", true, "fastest wheel speed, 1100 motor steps/s; faster commands are scaled down keeping the curvature"),
		number(paramSpeedUnit, stepAngle, 0.001, 0.1, "rad", false, "wheel turn per motor step in commands; 0.0068 gives the old driver's commands, which are 7.6 % too slow"),
		number(paramTimeout, 0.5, 0, 60, "s", true, "the wheels stop when no `cmd_vel` came for this long; 0 keeps the last command for ever"),
		flag(paramStamped, false, false, "`cmd_vel` is a geometry_msgs/TwistStamped instead of a Twist"),
		flag(paramPublishTF, true, true, "publish the transform from `odom_frame` to `base_frame`"),
		text(paramOdomFrame, "odom", false, "name of the frame the pose is given in"),
		text(paramBaseFrame, "base_link", false, "name of the robot's own frame"),
		text(paramFramePrefix, "", false, "put before every frame name, for instance `robot1/`"),
		choice(paramScanInvalid, []string{string(epuck2.InvalidNaN), string(epuck2.InvalidInf), string(epuck2.InvalidZero)}, true,
			"what a `scan` ray holds that was not measured to `range_max`: `nan` claims nothing, `inf` clears costmaps all around, `zero` is the old driver's way"),
		choice(paramRangeClear, []string{string(ClearInf), string(ClearMax)}, true,
			"what `ps…` and `tof` hold while they see nothing: `inf` (REP 117) or `max`, exactly `max_range`, which Nav2's RangeSensorLayer clears with"),
		choice(paramLEDType, []string{string(LEDInt32), string(LEDBool)}, false,
			"type of `led0`, `led2`, `led4` and `led6`: std_msgs/Int32 or, as in the old driver, std_msgs/Bool"),
		number(paramIMURate, 20, 0, 100, "Hz", false, "readings of the IMU; 0 leaves it alone, as for the three below"),
		list(paramIMURotation, []float64{0, -1, 0, 1, 0, 0, 0, 0, 1}, "rotation from the IMU chip's axes to the robot's, row by row; nose up must give +x acceleration, anticlockwise +z rotation"),
		number(paramToFRate, 20, 0, 50, "Hz", false, "readings of the time-of-flight sensor; its profile may be slower"),
		choice(paramToFProfile, profileNames(), false, "how the time-of-flight sensor measures"),
		number(paramGroundRate, 20, 0, 100, "Hz", false, "readings of the ground sensors"),
		number(paramMagRate, 8, 0, 30, "Hz", false, "readings of the magnetometer"),
		list(paramMagRotation, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, "the same for the magnetometer of the Pi-puck board; the IMU's own turns with the IMU"),
		flag(paramCameraSetup, true, false, "set the camera's sensor up by I2C; else another program does"),
		flag(paramCameraMirror, false, false, "the sensor exchanges left and right"),
		flag(paramCameraFlip, false, false, "the sensor exchanges top and bottom"),
		number(paramCameraExposure, 0, 0, camsensor.MaxExposure.Seconds(), "s", false, "time a row of the picture collects light; 0 is automatic"),
		number(paramCameraGain, 0, 0, camsensor.MaxGain, "", false, "amplification of the picture, from 1; 0 is automatic"),
	}
}

func text(name, value string, dynamic bool, meaning string) Parameter {
	return Parameter{Name: name, Default: ros2.StringValue(value), Dynamic: dynamic, Meaning: meaning}
}

// choice is a string parameter whose default is the first of the values allowed.
func choice(name string, values []string, dynamic bool, meaning string) Parameter {
	p := text(name, values[0], dynamic, meaning)
	p.Choices = values
	return p
}

// list is a parameter of several doubles.
func list(name string, value []float64, meaning string) Parameter {
	return Parameter{Name: name, Default: ros2.DoubleArrayValue(value), Meaning: meaning}
}

func flag(name string, value, dynamic bool, meaning string) Parameter {
	return Parameter{Name: name, Default: ros2.BoolValue(value), Dynamic: dynamic, Meaning: meaning}
}

func number(name string, value, least, most float64, unit string, dynamic bool, meaning string) Parameter {
	return Parameter{
		Name: name, Default: ros2.DoubleValue(value), Min: least, Max: most,
		Unit: unit, Dynamic: dynamic, Meaning: meaning,
	}
}

// TypeName is the parameter's type as ROS users write it: "bool", "int", "double", "string" or "double array".
func (p Parameter) TypeName() string {
	switch t := p.Default.Type(); t {
	case ros2.ParameterBool:
		return "bool"
	case ros2.ParameterInteger:
		return "int"
	default:
		return t.String()
	}
}

// Descriptor gives the declaration of the parameter for a node.
func (p Parameter) Descriptor() ros2.ParameterDescriptor {
	d := ros2.ParameterDescriptor{
		Name: p.Name, Default: p.Default, Description: strings.ReplaceAll(p.Meaning, "`", ""),
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
