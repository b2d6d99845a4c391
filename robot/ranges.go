// SPDX-License-Identifier: Apache-2.0

package robot

// Limits of the distances that the sensors publish.
const (
	// MinInfraredRange is the lower limit of the infrared sensors, m [epuck_ros2; Webots].
	MinInfraredRange = 0.009
	// MaxInfraredRange is the upper limit, m [Webots, the scan of its ROS 2 driver; epuck_ros2 has 0.025 and exceeds
	// it]. The response is longer, but without a calibration the offset of a sensor is tens of counts, which would be
	// an obstacle beyond 0.04 m.
	MaxInfraredRange = 0.04
	// InfraredFieldOfView is the field of view that the Range messages of the infrared sensors have, rad: 15°
	// [epuck_ros2]. It is wider than InfraredAperture, the cone of the simulated sensors: a map needs the region that
	// an object may be in.
	InfraredFieldOfView = 15 * degree

	// MinToFRange and MaxToFRange are the limits of the time-of-flight sensor, m [epuck_ros2]. The sensor sees
	// white walls at 2 m, but grey surfaces and daylight shorten that, and "nothing within range" must be true.
	MinToFRange = 0.005
	MaxToFRange = 1.0

	// MinGroundRange and MaxGroundRange are the limits of the ground sensors' heights, m [Webots,
	// E-puckGroundSensors.proto].
	MinGroundRange = 0.0
	MaxGroundRange = 0.016
	// GroundFieldOfView is the angle of a ground sensor's cone, rad. Assumed: no source has it; the spot is then half
	// as wide as the sensor's height above the floor.
	GroundFieldOfView = 0.5
)

// The scan is made of the infrared sensors and the time-of-flight sensor, as in [epuck_ros2].
const (
	// ScanRays is the number of its rays, ScanFirst the angle of the first, rad, and ScanStep from one to the next.
	ScanRays  = 21
	ScanFirst = -150 * degree
	ScanStep  = 15 * degree
	// MinScanRange is the least reading of the innermost infrared sensors, ps2 and ps5, from the robot's centre, m.
	MinScanRange = MinInfraredRange + 0.031
	// MaxScanRange is the largest reading of the time-of-flight sensor from the robot's centre, rounded up, m.
	MaxScanRange = 1.035
)

// InfraredRays returns the rays of the scan that ps0 to ps7 measure [epuck_ros2]: those nearest to the directions of
// the sensors.
func InfraredRays() [8]int { return [8]int{9, 7, 4, 0, 20, 16, 13, 11} }

// ToFRay is the ray of the scan that the time-of-flight sensor measures: the one ahead.
const ToFRay = ScanRays / 2
