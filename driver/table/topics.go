// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Direction is whether the driver publishes a topic or subscribes to it.
type Direction uint8

// Values of Direction.
const (
	Published Direction = iota
	Subscribed
)

// When is the condition under which a topic is published.
type When uint8

// Values of When.
const (
	// whenReceived is for subscriptions: whenever a message is published.
	whenReceived When = iota
	// EveryCycle is at the parameter rate, while there is a subscriber.
	EveryCycle
	// OnChange is at the first reading and whenever the value changes.
	OnChange
	// Once is when the driver starts; the message is latched.
	Once
	// EveryReading is each measurement of the part it comes from, at the rate in the row's Rate, while there is a
	// subscriber.
	EveryReading
	// EverySecond is once a second, while there is a subscriber.
	EverySecond
)

// String returns the text for the documentation's table.
func (w When) String() string {
	words := [...]string{"", "20 Hz (`rate`)", "on change", "once", "with each reading", "1 Hz"}
	return words[min(int(w), len(words)-1)]
}

// Topic is one row of the table of topics.
type Topic struct {
	// Name is the topic's name, relative to the node's namespace, or the common prefix of a family.
	Name string
	// Numbers are the suffixes of a family's members; a single topic has none.
	Numbers []int
	// Type is the message type as in "sensor_msgs/msg/Range".
	Type string
	// AltType is the type if the parameter AltParameter has the value AltValue.
	AltType, AltParameter, AltValue string
	Direction                       Direction
	// Frame is the frame of the message without the frame prefix, empty if it has none. In a family the number is
	// appended as it is to the name.
	Frame string
	When  When
	// Rate is the rate of EveryReading, as in the documentation's table.
	Rate string
	// Part is the short name of the optional part of the robot that the topic requires, empty if every robot has it.
	Part string
	QoS  ros2.QoS
	// Unit is the unit of the values, empty if they have none.
	Unit string
	// demand is that of the group the topic is published with, nil without a group.
	demand *demand
	// Meaning is the topic's content, in one line.
	Meaning string

	// offer creates the publisher of a member and subscribe the subscription, depending on the direction. The
	// diagnostics and the pictures have neither: they are not built from readings.
	offer     offerer
	subscribe subscriber
}

// Names lists the topics of the row: the name itself, or a family's members.
func (t Topic) Names() []string {
	if len(t.Numbers) == 0 {
		return []string{t.Name}
	}
	names := make([]string, len(t.Numbers))
	for i, n := range t.Numbers {
		names[i] = t.Name + strconv.Itoa(n)
	}
	return names
}

// Prefixes of the topics. The two rows of LEDs share one.
const (
	TopicOdom     = "odom"
	TopicTF       = "/tf"
	TopicTFStatic = "/tf_static"
	TopicScan     = "scan"
	TopicRange    = "ps"
	TopicCounts   = "ps_raw"
	TopicLight    = "ls"
	TopicJoints   = "joint_states"
	TopicMic      = "mic"
	TopicButton   = "button"
	TopicSelector = "selector"
	TopicRemote   = "tv_remote"
	TopicCmdVel   = "cmd_vel"
	topicJointCmd = "joint_commands"
	topicLED      = "led"
	topicSpeaker  = "speaker"
	TopicToF      = "tof"
	TopicGround   = "gs"
	TopicIMU      = "imu"
	TopicMag      = "mag"
	TopicBattery  = "battery_state"
	topicBoardLED = "pi_led"
	TopicDiag     = "/diagnostics"
	TopicURDF     = "robot_description"

	TopicImage      = "image_raw"
	TopicJPEG       = "image_raw/compressed"
	TopicCameraInfo = "camera_info"
)

func newest() ros2.QoS { return ros2.DefaultQoS().WithDepth(1) }

// Topics returns the table of the driver's topics, from which publishers, subscriptions and the documentation's table
// are generated. The caller owns the slice.
func Topics() []Topic {
	return append(publishedTopics(), subscribedTopics()...)
}

// PublishedBy returns the rows of the topics that a part publishes; "" means those of every robot. It omits the
// diagnostics, which are not built from readings.
func PublishedBy(part parts.Name) []Topic {
	return slices.DeleteFunc(rowsOf(publishedTopics(), part), func(t Topic) bool { return t.When == EverySecond })
}

// SubscribedBy returns the rows of the topics that a part subscribes to, as PublishedBy.
func SubscribedBy(part parts.Name) []Topic { return rowsOf(subscribedTopics(), part) }

func rowsOf(rows []Topic, part parts.Name) []Topic {
	return slices.DeleteFunc(rows, func(t Topic) bool { return t.Part != string(part) })
}

func publishedTopics() []Topic { return slices.Concat(robotTopics(), partTopics()) }

// limits returns a range of distances as text.
func limits(low, high float64) string { return fmt.Sprintf("%g … %g m", low, high) }

// scanRays returns the rays of the scan as text.
func scanRays() string {
	first := math.Round(robot.ScanFirst * 180 / math.Pi)
	return fmt.Sprintf("%d rays from −%g° to %g°", robot.ScanRays, -first, first+math.Round((robot.ScanRays-1)*robot.ScanStep*180/math.Pi))
}

// robotTopics are the rows that every robot publishes.
func robotTopics() []Topic {
	four, eight := []int{0, 1, 2, 3}, []int{0, 1, 2, 3, 4, 5, 6, 7}
	return []Topic{
		{offer: built(buildOdometry),
			Name: TopicOdom, Type: "nav_msgs/msg/Odometry", Frame: "odom", When: EveryCycle, QoS: newest(),
			Unit:    "m, rad, m/s, rad/s",
			Meaning: "pose since start, `odom` → `base_link`; twist in the body frame; covariances"},
		{offer: kept(newTransform),
			Name: TopicTF, Type: "tf2_msgs/msg/TFMessage", Frame: "odom", When: EveryCycle, QoS: newest(), Unit: "m",
			Meaning: "the same pose as a transform, with `publish_tf`"},
		{offer: built(buildStaticTransforms),
			Name: TopicTFStatic, Type: "tf2_msgs/msg/TFMessage", Frame: "base_link", When: Once,
			QoS: ros2.TFStaticQoS(), Unit: "m",
			Meaning: "the positions of all sensors, `camera_optical_frame` and `base_footprint`, in one message"},
		{offer: framed(newScan),
			Name: TopicScan, Type: "sensor_msgs/msg/LaserScan", Frame: epuck2.ScanFrame, When: EveryCycle,
			QoS: newest(), Unit: "m, rad",
			Meaning: scanRays() + ", measured from the robot's centre: eight have an infrared sensor, " +
				"the one ahead the time-of-flight sensor (+Inf when it sees nothing); a ray where nothing was " +
				"measured is NaN (`scan_invalid`)"},
		{offer: member(newRange),
			Name: TopicRange, Numbers: eight, Type: "sensor_msgs/msg/Range", Frame: TopicRange, When: EveryCycle,
			QoS: newest(), Unit: "m",
			Meaning: "infrared proximity, " + limits(robot.MinInfraredRange, robot.MaxInfraredRange) + "; farther is +Inf, saturated −Inf"},
		{offer: kept(newCounts),
			Name: TopicCounts, Type: "std_msgs/msg/UInt16MultiArray", When: EveryCycle, QoS: newest(), Unit: "counts",
			Meaning: "the eight infrared sensors' raw readings, 0 … 4095; for calibrations"},
		{offer: member(newIlluminance),
			Name: TopicLight, Numbers: eight, Type: "sensor_msgs/msg/Illuminance", Frame: TopicLight,
			When: EveryCycle, QoS: newest(), Unit: "lx",
			Meaning: "ambient light by the Webots robot's model, 120 … 240 lx; not photometric"},
		{offer: kept(newJointStates),
			Name: TopicJoints, Type: "sensor_msgs/msg/JointState", When: EveryCycle, QoS: newest(), Unit: "rad, rad/s",
			Meaning: "`left_wheel_joint`, `right_wheel_joint`: measured angle and speed"},
		{offer: member(func(i int, _ string) func(*std_msgs.Int16, *Reading) bool { return newVolume(i) }),
			Name: TopicMic, Numbers: four, Type: "std_msgs/msg/Int16", When: EveryCycle, QoS: newest(), Unit: "counts",
			Meaning: "peak-to-peak volume over 10 ms: right, left, back, front; the robot measures up to 65535, " +
				"the type is limited to 32767, and `/diagnostics` counts clipped values"},
		{offer: kept(newButton),
			Name: TopicButton, Type: "std_msgs/msg/Bool", When: OnChange, QoS: ros2.LatchedQoS(),
			Meaning: "the user button: true while pressed"},
		{offer: kept(newSelector),
			Name: TopicSelector, Type: "std_msgs/msg/UInt8", When: OnChange, QoS: ros2.LatchedQoS(),
			Meaning: "the 16-position selector; the firmware talks to the Pi at 10"},
		{offer: kept(newRemote),
			Name: TopicRemote, Type: "std_msgs/msg/UInt8", When: OnChange, QoS: newest(),
			Meaning: "RC5 command of the TV remote control, 0 … 63, and 128 … 191 for the extended ones (64 … " +
				"127); the same key pressed twice can't be distinguished from once"},
		{offer: built(buildDescription),
			Name: TopicURDF, Type: "std_msgs/msg/String", When: Once, QoS: ros2.LatchedQoS(),
			Meaning: "URDF with the robot's shape; its fixed joints are the transforms of `/tf_static`, its wheels " +
				"the joints of `joint_states`"},
		{Name: TopicDiag, Type: "diagnostic_msgs/msg/DiagnosticArray", When: EverySecond, QoS: newest(),
			Meaning: "one status for the control loop, each bus and each chip: counters, rates, last error"},
	}
}

// partTopics are the rows of the optional parts.
func partTopics() []Topic {
	return []Topic{
		{offer: framed(newToF),
			Name: TopicToF, Type: "sensor_msgs/msg/Range", Frame: "tof", When: EveryReading,
			Rate: "20 Hz (`" + paramToFRate + "`)", Part: string(parts.ToF),
			QoS: newest(), Unit: "m", Meaning: "time-of-flight distance, " + limits(robot.MinToFRange, robot.MaxToFRange) + "; farther is +Inf, too near −Inf"},
		{offer: framed(newInertial),
			Name: TopicIMU, Type: "sensor_msgs/msg/Imu", Frame: "imu_link", When: EveryReading,
			Rate: "20 Hz (`" + paramIMURate + "`)", Part: string(parts.IMU),
			QoS: newest(), Unit: "m/s², rad/s",
			Meaning: "acceleration with gravity, angular velocity; no orientation (`orientation_covariance[0]` is −1)"},
		{offer: member(newGround),
			Name: TopicGround, Numbers: []int{0, 1, 2}, Type: "sensor_msgs/msg/Range", Frame: TopicGround,
			When: EveryReading,
			Rate: "20 Hz (`" + paramGroundRate + "`)", Part: string(parts.Ground), QoS: newest(), Unit: "m",
			Meaning: "ground sensors left, centre, right: height above a white floor, " +
				limits(robot.MinGroundRange, robot.MaxGroundRange) + "; black or no floor is +Inf"},
		{offer: framed(newMagneticField),
			Name: TopicMag, Type: "sensor_msgs/msg/MagneticField", Frame: "imu_link", When: EveryReading,
			Rate: "8 Hz (`" + paramMagRate + "`)",
			Part: string(parts.Mag), QoS: newest(), Unit: "T", Meaning: "magnetic field"},
		{offer: built(buildBattery),
			Name: TopicBattery, Type: "sensor_msgs/msg/BatteryState", When: EveryReading, Rate: "1 Hz",
			Part: string(parts.Battery),
			QoS:  newest(), Unit: "V", Meaning: "battery of the robot; fields that are not measured are NaN"},
		{Name: TopicImage, Type: "sensor_msgs/msg/Image", Frame: cameraFrame, When: EveryReading, Rate: pictureRate,
			Part: string(parts.Pictures),
			QoS:  newest(), Meaning: "the picture, in `camera.encoding`; the camera runs only while there is a " +
				"subscriber to one of its topics"},
		{Name: TopicJPEG, Type: "sensor_msgs/msg/CompressedImage", Frame: cameraFrame, When: EveryReading,
			Rate: pictureRate, Part: string(parts.Pictures),
			QoS: newest(), Meaning: "the same as JPEG, 4:2:2, of `camera.quality`"},
		{Name: TopicCameraInfo, Type: "sensor_msgs/msg/CameraInfo", Frame: cameraFrame, When: EveryReading,
			Rate: pictureRate, Part: string(parts.Pictures),
			QoS: newest(), Unit: "pixels",
			Meaning: "the calibration, scaled to the picture, with the stamp of each picture; zero while there is none"},
	}
}

// pictureRate is the rate of pictures, as in the documentation's table.
const pictureRate = "15 Hz (`" + ParamCameraRate + "`)"

// cameraFrame is the frame of the camera's messages: z forward, x right, y down.
const cameraFrame = "camera_optical_frame"

func subscribedTopics() []Topic {
	command := newest().WithReliability(ros2.BestEffort)
	return []Topic{
		{subscribe: subscribeSpeeds, Name: TopicCmdVel, Direction: Subscribed, Type: "geometry_msgs/msg/Twist",
			AltType: "geometry_msgs/msg/TwistStamped", AltParameter: paramStamped, AltValue: "true", QoS: command,
			Unit: "m/s, rad/s",
			Meaning: "`linear.x` and `angular.z`; scaled down keeping the curvature, which is logged; NaN and Inf refused; stops " +
				"after `cmd_vel_timeout`"},
		{subscribe: subscribe(Commands.Joints), Name: topicJointCmd, Direction: Subscribed, Type: "sensor_msgs/msg/JointState",
			QoS: command, Unit: "rad/s",
			Meaning: "`velocity` of both wheels by `name`, instead of `cmd_vel`, as ros2_control's " +
				"diff_drive_controller sends " +
				"it through joint_state_topic_hardware_interface; the latest of the two commands applies"},
		{subscribe: subscribeRedLED, Name: topicLED, Numbers: []int{0, 2, 4, 6}, Direction: Subscribed, Type: "std_msgs/msg/Int32",
			AltType: "std_msgs/msg/Bool", AltParameter: paramLEDType, AltValue: string(ledBool), QoS: command,
			Meaning: "red LEDs front, right, back, left: 0 is off, else on"},
		{subscribe: subscribeEach(func(to Commands, led int, m *std_msgs.Int32) { to.Colour(led, uint32(m.Data)) }),
			Name: topicLED, Numbers: []int{1, 3, 5, 7}, Direction: Subscribed, Type: "std_msgs/msg/Int32", QoS: command,
			Meaning: "colour LEDs front right, back right, back left, front left: 0xRRGGBB"},
		{subscribe: subscribe(func(to Commands, m *std_msgs.UInt8) { to.Melody(int(m.Data)) }), Name: topicSpeaker,
			Direction: Subscribed, Type: "std_msgs/msg/UInt8", QoS: command,
			Meaning: "melody 1 – 3, played once; it can't be stopped"},
		{subscribe: subscribeEach(func(to Commands, led int, m *std_msgs.Int32) { to.BoardLED(led, m.Data) }),
			Name: topicBoardLED, Numbers: []int{0, 1, 2}, Direction: Subscribed, Type: "std_msgs/msg/Int32",
			Part: string(parts.LEDs), QoS: command,
			Meaning: "LEDs of the Pi-puck board: 0xRRGGBB; each of the three colours is on unless it is 0"},
	}
}
