// SPDX-License-Identifier: Apache-2.0

package robot

// Response is a point of a sensor's response to a white surface; between two points reading and noise are linear.
type Response struct {
	Distance float64 // m
	Reading  float64 // counts or m
	Noise    float64 // standard deviation as a share of Reading
}

// InfraredResponse returns the response of the infrared sensors, in counts with the offset subtracted [Webots,
// E-puckDistanceSensor.proto; up to 0.05 m also epuck_ros2].
func InfraredResponse() [10]Response {
	return [10]Response{
		{0, 4095, 0.002}, {0.005, 2133.33, 0.003}, {0.01, 1465.73, 0.007}, {0.015, 601.46, 0.0406},
		{0.02, 383.84, 0.01472}, {0.03, 234.93, 0.0241}, {0.04, 158.03, 0.0287}, {0.05, 120, 0.04225},
		{0.06, 104.09, 0.03065}, {0.07, 67.19, 0.04897},
	}
}

// InfraredReach is where the last slope of InfraredResponse reaches zero, m: nothing farther away has a reading.
const InfraredReach = 0.07 + 67.19*0.01/(104.09-67.19)

// ToFResponse returns the response of the time-of-flight sensor in 33 ms, in metres: about 5 % and 6 mm too much
// [Webots, E-puck.proto].
func ToFResponse() [8]Response {
	return [8]Response{
		{0, 0.0198, 0.126}, {0.05, 0.0585, 0.032}, {0.1, 0.111, 0.019}, {0.2, 0.2189, 0.009},
		{0.5, 0.5319, 0.007}, {1, 1.052, 0.010}, {1.7, 1.7805, 0.013}, {2, 2, 0.013},
	}
}

// GroundNoise is the noise of the ground sensors, the standard deviation as a share of the reading.
const GroundNoise = 0.1

// GroundResponse returns the response of the ground sensors, in counts [Webots, E-puckGroundSensors.proto;
// epuck_ros2]. The noise is plausible: no source has it.
func GroundResponse() [2]Response {
	return [2]Response{{0, 1000, GroundNoise}, {MaxGroundRange, 300, GroundNoise}}
}
