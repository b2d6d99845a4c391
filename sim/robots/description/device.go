// SPDX-License-Identifier: Apache-2.0

package description

// DeviceKind says what a device does, and which of its fields count.
type DeviceKind string

// The kinds of devices.
const (
	Infrared DeviceKind = "infrared" // distance, one number: Range
	Sonar    DeviceKind = "sonar"    // the same, with a wide cone
	Lidar    DeviceKind = "lidar"    // distances of a fan: Range, Horizontal
	Camera   DeviceKind = "camera"   // Image
	Depth    DeviceKind = "depth"    // Image, Range
	IMU      DeviceKind = "imu"
	GPS      DeviceKind = "gps"
	Compass  DeviceKind = "magnetometer"
	Contact  DeviceKind = "contact"
	Light    DeviceKind = "light"  // it measures: Table
	Ground   DeviceKind = "ground" // reflected light under the robot
	LED      DeviceKind = "led"    // Colors
	Battery  DeviceKind = "battery"

	Accelerometer DeviceKind = "accelerometer" // an IMU's, alone: Table
	Gyro          DeviceKind = "gyro"          // the same
	Orientation   DeviceKind = "orientation"   // roll, pitch and yaw in the world
	Emitter       DeviceKind = "emitter"       // Radio
	Receiver      DeviceKind = "receiver"      // Radio
	Motor         DeviceKind = "motor"         // Joint: it moves it, within its Limit
	Gripper       DeviceKind = "gripper"       // Joint: it holds a movable thing within Range while that is closed
	Encoder       DeviceKind = "encoder"       // Joint: it measures its position; Resolution
)

// Device is a sensor or an actuator. A joint's motor and encoder are devices where the description names them.
type Device struct {
	Name    string
	Kind    DeviceKind
	Link    string // whose frame it is in
	Pose    Pose   // in the link; x is the direction a sensor looks in
	Rate    float64
	Unasked bool   // it measures without subscribers, too
	Topic   string // as the description names it; empty: nothing is said
	Range   *Range
	Fan     *Fan
	Image   *Image
	Table   Table
	Noise   Noise
	Axes    []Noise // of each value of an IMU, acceleration before rotation, or a magnetometer; none: Noise counts
	Line    int     // of the file

	Subtype    string       // what it is among those of its kind, as the description names it
	Resolution float64      // the smallest step of what it says, in its unit; 0: none
	Joint      string       // of a motor or an encoder
	Colors     [][3]float64 // an LED's, red, green, blue, 0 to 1
	Gradual    bool         // the LED has all brightnesses, of each color or of red, green and blue
	Radio      *Radio
	Energy     *Energy // of a battery

	// Saturation is the greatest value of an infrared sensor by the light on it, W/m²; empty: light does not limit it.
	Saturation Table
}

// Range is what a distance sensor can measure.
type Range struct {
	Min, Max   float64 // metres
	Resolution float64 // metres; 0: unknown
	Aperture   float64 // full angle of the cone, rad
	Rays       int     // by which the cone is looked at; at least 1
}

// Fan is where a lidar's rays go, counter-clockwise.
type Fan struct {
	Samples            int
	MinAngle, MaxAngle float64 // of the first and the last ray, rad, 0 is x
	Layers             int     // fans one above the other; 0: one
	Height             float64 // angle between the highest and the lowest, rad
}

// Image is what a camera gives.
type Image struct {
	Width, Height int // pixels
	FieldOfView   float64
	Near, Far     float64 // metres
	Format        string  // as the description names it
}

// Focal is the focal length, pixels: that of CameraInfo's K.
func (i *Image) Focal() float64 { return focal(i.Width, i.FieldOfView) }

// Drive is a pair of wheels that turns the robot by their difference.
type Drive struct {
	Left, Right  []string // joints, from front to back
	Separation   float64  // between the wheels of both sides, metres
	Radius       float64  // metres
	Speed        float64  // most, m/s; 0: unknown
	Acceleration float64  // m/s²; 0: unknown
	// StepsPerTurn is how many steps the stepper motors of the wheels make in a turn of a wheel: their speeds are whole
	// steps a second. 0: the motors make any speed.
	StepsPerTurn float64
	// StepTimer is the resolution of the timer that makes the half steps, s: their periods are whole multiples of it. 0:
	// any period.
	StepTimer     float64
	CommandTopic  string
	OdometryTopic string
	Line          int
}

// Radio is what sends packets to other robots, or gets theirs. 0 is no limit.
type Radio struct {
	Channel         int
	Range, MaxRange float64 // metres: how far it sends, and how far it may be set to
	Aperture        float64 // full angle of the cone, rad
	Baud            int     // bits per second
	ByteSize        int     // bits that a byte takes
	Buffer          int     // bytes
}

// Energy is what is in a battery.
type Energy struct {
	Now, Most float64 // joules
	Charging  float64 // watts, while it is charged; 0: unknown
	Load      float64 // watts, that the robot takes at all times; 0: unknown

	// Voltage is that at rest of a full battery, volts, 0: unknown; Rise is by how much that of an empty one is
	// greater, volts, as a rule negative; Resistance is the inner one, ohms.
	Voltage, Rise, Resistance float64
}
