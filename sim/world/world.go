// SPDX-License-Identifier: Apache-2.0

// Package world describes the simulated world and reads it from YAML.
//
// A world file holds one mapping. Everything is in SI units and radians, x east
// and y north, and seen from above; every list may be empty or missing, and
// unknown fields are errors.
//
//	name: my_world                # letters, digits, _ and -
//	description: one line of text
//	ambient_irradiance: 1.0       # W/m², everywhere; default 1.0, the dark end
//	contact_friction: 0.3         # coefficient between robots, and of robots and things; default 0.3
//	magnetic_field: [0, 22e-6, -43e-6]   # T, to the east, north and up; default this
//	range_and_bearing:            # messages between robots by infrared; default these
//	  range: 0.25                 # m, between the robots' middles
//	  loss: 0.05                  # share of messages that do not arrive
//	  range_noise: 0.05           # standard deviation of the range, as a share of it
//	  bearing_noise: 0.1          # standard deviation of the bearing, rad
//	arena:                        # walls around a rectangle; without: open floor
//	  center: [0, 0]              # m; default [0, 0]
//	  size: [1.0, 1.0]            # m, inner side lengths
//	  height: 0.1                 # m; default 0.1
//	  grow: false                 # enlarged, if sim --robots puts more robots into it than fit; default false
//	  color: grey                 # for the camera: a name or "#rrggbb"; walls, boxes and cylinders have one, too
//	walls:                        # straight walls with square ends
//	  - {name: w, from: [0, 0], to: [0.3, 0], thickness: 0.01, height: 0.1}
//	boxes:
//	  - {name: b, position: [0.2, 0.1], size: [0.05, 0.1], yaw: 0.5, height: 0.1, color: red}
//	cylinders:
//	  - {name: c, position: [-0.2, 0], radius: 0.03, height: 0.1}
//	  - name: puck                # boxes and cylinders may be pushed
//	    position: [0, 0.3]
//	    radius: 0.02
//	    movable: true             # robots push it; default false
//	    mass: 0.1                 # kg; default 0.1
//	    friction: 0.3             # coefficient, with the floor; default 0.3
//	boards:                       # chessboards on sheets for calibrating the camera, which alone sees them
//	  - {name: d, position: [0.3, 0, 0.05], yaw: 3, tilt: 0, roll: 0, corners: [13, 9], square: 0.004, plain: false}
//	lights:                       # point sources
//	  - {name: l, position: [0.5, 0.5, 0.4], intensity: 0.2}   # m, W/sr
//	sounds:                       # tones that the microphones hear
//	  - {name: s, position: [0.5, 0, 0.1], pressure: 0.02, frequency: 1000}   # m, Pa at 1 m, Hz; default 1000
//	stations:                     # where robots are charged while their middle is within the radius
//	  - {name: s, position: [0.4, 0.4], radius: 0.05}   # m; a grey circle on the floor is around it
//	feeders:                      # which put movable things into the running world
//	  - {name: f, position: [0, 0.4], radius: 0.02, number: 10, period: 5}   # m, how many, s
//	floor:                        # default white
//	  reflectance: 1.0            # where nothing is painted, 0 black to 1 white; default 1
//	  image: track.png            # a PNG picture in the world file's folder, grey is reflectance
//	  resolution: 0.002           # m, the side of a pixel
//	  origin: [-0.5, -0.35]       # m, its lower left corner; default [0, 0]
//	  checkers:                   # squares, every second painted, from the lower left
//	    - {position: [0, 0], size: [1, 1], cell: 0.1, reflectance: 0.2}
//	  circles:                    # lines of a width, without: filled
//	    - {position: [0, 0], radius: 0.3, width: 0.02, reflectance: 0}
//	  lines:                      # through the points, closed: and back to the first
//	    - {points: [[0, 0], [0.3, 0]], closed: false, width: 0.02, reflectance: 0}
//	robots:                       # at least one
//	  - name: epuck
//	    position: [0, 0]          # m
//	    yaw: 0                    # rad
//	    level: firmware           # or functional: no bytes and no driver, for swarms; or target: its computer,
//	                              # too, in time made by its own instructions; default firmware
//	    cost: none                # what its work costs its processor: none, table, or s for each callback
//	    wheel_distance: 0.05685   # m; default 0.05685
//	    selector: 10              # 0–15; default 10
//	    firmware: extension       # or standard, york; default extension
//	    imu: mpu9250              # or icm20948, none; default mpu9250
//	    magnetometer: none        # or bmm150, on the Pi-puck board; default none
//	    ground: standard          # or cliff (with cliff sensors), none; default standard
//	    camera: ov7670            # or po8030, po6030, po3030, none; default ov7670
//	    without: [ground, tof]    # parts taken off: tof, imu, ground, camera, leds, battery …
//	    battery: {capacity: 6480, charge: 1.0}   # C, and the share of it; default these
//	    variation:                # how this robot differs from the drawing; default not at all
//	      wheel_radii: [0.02, 0.02]   # m, left and right
//	      slip: 0.002             # m, standard deviation of a wheel's way after 1 m; it grows with the square root
//	      slip_length: 0.01       # m, the way on which the error of a wheel stays the same; default 0.01
//	      infrared: 0.2           # spread of the sensors' gain, half of it that of their reach, as shares
//	      inertial: 0.02          # of scales and axes of IMU and magnetometers; with it the robot is magnetic
//	    camera_model:             # how its camera differs from an ideal one; default not at all
//	      distortion: {k1: -0.2, k2: 0.05, p1: 0.001, p2: -0.001, k3: 0} # as in CameraInfo (plumb_bob)
//	      vignetting: 4           # the light falls with this power of the cosine of the angle to the axis
//	      noise: 1                # as a multiple of that in the sensor's data sheet
//	  - name: burger              # a robot of another kind; of the above it has name, position, yaw, both of slip
//	    model: turtlebot3_burger  # of the library, or an URDF, SDF or PROTO file in the world file's folder
//
// Names are optional except those of robots, and unique within the file where given. thickness defaults to 0.01 m,
// every height to 0.1 m, yaw to 0; colors differ from thing to thing. A robot's infrared sensors sit 0.033 m above the
// floor and do not see what is lower. A light's intensity I adds I·cos(angle)/distance² to the irradiance of each
// sensor it shines on; 1 W/m² reads 4095 and 2 W/m² reads 0 (Webots' model of the e-puck).
//
// On the floor lines are drawn over circles, these over checkers, these over the
// picture; within a list the later over the earlier. Transparent parts of the
// picture are bare floor.
package world

import "image"

// World is a world file. Parse fills in the defaults and checks it; a World
// made by hand is checked by Check.
type World struct {
	Name              string     `yaml:"name"`
	Description       string     `yaml:"description"`
	AmbientIrradiance float64    `yaml:"ambient_irradiance"` // W/m²
	ContactFriction   float64    `yaml:"contact_friction"`   // coefficient between robots, and of robots and things
	MagneticField     Point3     `yaml:"magnetic_field"`     // T; east, north, up
	Arena             *Arena     `yaml:"arena"`              // nil: open floor
	Floor             *Floor     `yaml:"floor"`              // nil: white
	Walls             []Wall     `yaml:"walls"`
	Boxes             []Box      `yaml:"boxes"`
	Cylinders         []Cylinder `yaml:"cylinders"`
	Boards            []Board    `yaml:"boards"`
	Lights            []Light    `yaml:"lights"`
	Sounds            []Sound    `yaml:"sounds"`
	Stations          []Station  `yaml:"stations"`
	Feeders           []Feeder   `yaml:"feeders"`
	Robots            []Robot    `yaml:"robots"`

	RangeAndBearing RangeAndBearing `yaml:"range_and_bearing"`
}

// RangeAndBearing is what messages between robots by infrared are like.
type RangeAndBearing struct {
	Range        float64 `yaml:"range"`         // how far they reach, between the robots' middles, m
	Loss         float64 `yaml:"loss"`          // share of messages that do not arrive, 0 to 1
	RangeNoise   float64 `yaml:"range_noise"`   // standard deviation of the range, as a share of it
	BearingNoise float64 `yaml:"bearing_noise"` // standard deviation of the bearing, rad
}

// Arena is a rectangular enclosure.
type Arena struct {
	Center Point   `yaml:"center"` // m
	Size   Point   `yaml:"size"`   // inner side lengths, m
	Height float64 `yaml:"height"` // m
	Color  Color   `yaml:"color"`
	Grow   bool    `yaml:"grow"` // enlarged for distributed robots that do not fit otherwise
}

// Wall is a straight wall with square ends.
type Wall struct {
	Name      string  `yaml:"name"`
	From      Point   `yaml:"from"`      // m
	To        Point   `yaml:"to"`        // m
	Thickness float64 `yaml:"thickness"` // m
	Height    float64 `yaml:"height"`    // m
	Color     Color   `yaml:"color"`
}

// Box is an upright block.
type Box struct {
	Name     string  `yaml:"name"`
	Position Point   `yaml:"position"` // of the middle, m
	Size     Point   `yaml:"size"`     // side lengths, m
	Yaw      float64 `yaml:"yaw"`      // rad
	Height   float64 `yaml:"height"`   // m
	Color    Color   `yaml:"color"`
	Load     `yaml:",inline"`
}

// Load is what a box or a cylinder is to robots that drive against it.
type Load struct {
	Movable  bool    `yaml:"movable"`  // robots push it
	Mass     float64 `yaml:"mass"`     // kg; default 0.1
	Friction float64 `yaml:"friction"` // coefficient, with the floor; default 0.3
}

// Cylinder is an upright cylinder.
type Cylinder struct {
	Name     string  `yaml:"name"`
	Position Point   `yaml:"position"` // of the axis, m
	Radius   float64 `yaml:"radius"`   // m
	Height   float64 `yaml:"height"`   // m
	Color    Color   `yaml:"color"`
	Load     `yaml:",inline"`
}

// Board is a chessboard on a sheet of paper that hangs in the world, to calibrate cameras with. No other sensor sees
// it.
type Board struct {
	Name     string  `yaml:"name"`
	Position Point3  `yaml:"position"` // of the middle, m
	Yaw      float64 `yaml:"yaw"`      // where its face looks, rad
	Tilt     float64 `yaml:"tilt"`     // of the face upwards, rad
	Roll     float64 `yaml:"roll"`     // clockwise in its plane, rad
	Corners  Corners `yaml:"corners"`  // inner corners in a row and in a column; default 13, 9
	Square   float64 `yaml:"square"`   // side of a square, m; default 0.004
	Plain    bool    `yaml:"plain"`    // without the three discs in the middle
}

// Corners are numbers of corners in a row and in a column.
type Corners [2]int

// Light is a point source that shines the same in all directions.
type Light struct {
	Name      string  `yaml:"name"`
	Position  Point3  `yaml:"position"`  // m
	Intensity float64 `yaml:"intensity"` // W/sr
}

// Sound is a source of a tone that radiates the same in all directions.
type Sound struct {
	Name      string  `yaml:"name"`
	Position  Point3  `yaml:"position"`  // m
	Pressure  float64 `yaml:"pressure"`  // at 1 m, Pa
	Frequency float64 `yaml:"frequency"` // Hz; 0 is DefaultFrequency
}

// DefaultFrequency is that of sounds whose frequency is left open, Hz.
const DefaultFrequency = 1000.0

// Station is a place on the floor where robots are charged, while their middle is in it. Parse paints a circle round
// it.
type Station struct {
	Name     string  `yaml:"name"`
	Position Point   `yaml:"position"` // of the middle, m
	Radius   float64 `yaml:"radius"`   // m; default 0.05
}

// Robot is an e-puck2 at its start, or a robot of another kind, which its model describes.
type Robot struct {
	Name          string  `yaml:"name"`
	Position      Point   `yaml:"position"`       // m
	Yaw           float64 `yaml:"yaw"`            // rad
	Level         string  `yaml:"level"`          // firmware, functional or target
	WheelDistance float64 `yaml:"wheel_distance"` // m
	Selector      int     `yaml:"selector"`       // 0 to 15
	Firmware      string  `yaml:"firmware"`       // extension, standard or york
	Equipment     `yaml:",inline"`
	Battery       Battery     `yaml:"battery"`
	Variation     Variation   `yaml:"variation"`
	CameraModel   CameraModel `yaml:"camera_model"`

	// Model is the name of a description: of the library, or with a dot in it that of a file. Empty: an e-puck2 as it
	// is built in.
	Model string `yaml:"model"`
	// Description is the text of that file. LoadFile and LoadFS put it there.
	Description []byte `yaml:"-"`

	// Cost is what the robot's work costs its processor.
	Cost Cost `yaml:"cost"`
	// Processor is the name of the computer's processor at the level target (armcost.Processors), empty: that of the
	// simulation's parameters. Who runs the computer finds it.
	Processor string `yaml:"processor"`
}

// Variation is how one robot differs from the drawing. The zero value does not; what is random in it follows from the
// simulation's seed.
type Variation struct {
	WheelRadii Radii   `yaml:"wheel_radii"` // m; zero: as drawn
	Slip       float64 `yaml:"slip"`        // standard deviation of a wheel's way after 1 m, m
	SlipLength float64 `yaml:"slip_length"` // the way on which a wheel's error stays the same, m
	Infrared   float64 `yaml:"infrared"`    // spread of the infrared sensors' gain, as a share
	// spread of scales and axes of the inertial and magnetic sensors, as a share
	Inertial float64 `yaml:"inertial"`
}

// Radii are those of the left and the right wheel, m.
type Radii [2]float64

// Battery is a robot's battery at the start. Of a robot with a model that is what its description has, unless Given.
type Battery struct {
	Capacity float64 `yaml:"capacity"` // C; 0: of the description of a model
	Charge   float64 `yaml:"charge"`   // share of the capacity, 0 to 1
	Given    bool    `yaml:"-"`        // the file has the battery of a robot with a model
}

// Floor is what is to be seen on the floor.
type Floor struct {
	Reflectance float64   `yaml:"reflectance"` // where nothing is painted, 0 to 1
	Image       string    `yaml:"image"`       // name of a PNG file
	Resolution  float64   `yaml:"resolution"`  // side of its pixels, m
	Origin      Point     `yaml:"origin"`      // its lower left corner, m
	Checkers    []Checker `yaml:"checkers"`
	Circles     []Circle  `yaml:"circles"`
	Lines       []Line    `yaml:"lines"`

	// Picture is the picture of that file: 0 black to 255 white. LoadFile, LoadFS
	// and Example put it there.
	Picture *image.Gray `yaml:"-"`
}

// Checker is a rectangle of squares of which every second is painted.
type Checker struct {
	Position    Point   `yaml:"position"` // of the middle, m
	Size        Point   `yaml:"size"`     // side lengths, m
	Cell        float64 `yaml:"cell"`     // side of a square, m
	Reflectance float64 `yaml:"reflectance"`
}

// Circle is a painted circle: a line, or filled if it has no width.
type Circle struct {
	Position    Point   `yaml:"position"` // of the middle, m
	Radius      float64 `yaml:"radius"`   // to the middle of the line, m
	Width       float64 `yaml:"width"`    // m
	Reflectance float64 `yaml:"reflectance"`
}

// Line is a painted line with round ends and corners.
type Line struct {
	Points      []Point `yaml:"points"` // m
	Closed      bool    `yaml:"closed"`
	Width       float64 `yaml:"width"` // m
	Reflectance float64 `yaml:"reflectance"`
}

// Levels at which a robot can be simulated.
const (
	// LevelFirmware is the microcontroller's behaviour byte for byte on virtual buses.
	LevelFirmware = "firmware"
	// LevelFunctional is the body with its limits and the sensors with their formulas.
	LevelFunctional = "functional"
	// LevelTarget is LevelFirmware with the robot's computer as well: its programs run in an emulator, in time made by
	// their own instructions.
	LevelTarget = "target"
)

// LevelDescribed is what Level says of a robot with a model.
const LevelDescribed = "described"

// Levels returns all levels that a world file may ask for.
func Levels() []string { return []string{LevelFirmware, LevelFunctional, LevelTarget} }

// JoiningLevels returns the levels of robots that can come to a world that runs.
func JoiningLevels() []string { return []string{LevelFirmware, LevelFunctional} }

// Firmwares a robot can have.
const (
	FirmwareExtension = "extension"
	FirmwareStandard  = "standard"
	FirmwareYork      = "york"
)
