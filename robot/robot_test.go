// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// All sensors are within the body, and each infrared sensor looks outwards.
func TestSensorsAreOnTheBody(t *testing.T) {
	for i, s := range robot.Infrared() {
		if d := math.Hypot(s.X, s.Y); d > robot.BodyRadius || d < robot.BodyRadius-0.005 {
			t.Errorf("ps%d is %g m from the middle", i, d)
		}
		if s.X*math.Cos(s.Heading)+s.Y*math.Sin(s.Heading) < 0.02 {
			t.Errorf("ps%d looks inwards", i)
		}
		mirrored := robot.Infrared()[7-i]
		if mirrored.X != s.X || mirrored.Y != -s.Y || math.Abs(mirrored.Heading+s.Heading) > 0.01 {
			t.Errorf("ps%d and ps%d are not on opposite sides", i, 7-i)
		}
	}
	ground := robot.Ground()
	for _, s := range append(ground[:], robot.ToF(), robot.Camera()) {
		if math.Hypot(s.X, s.Y) > robot.BodyRadius {
			t.Errorf("%+v is outside of the body", s)
		}
	}
	if robot.ContactRadius < robot.BodyRadius+robot.MapMargin || robot.WheelDistance/2 > robot.BodyRadius {
		t.Error("the radii contradict each other")
	}
}

// The LEDs are clockwise from the front, 45° from one to the next.
func TestLEDsAreClockwise(t *testing.T) {
	for i, d := range robot.LEDs() {
		if off := math.Remainder(math.Atan2(d[1], d[0])+float64(i)*math.Pi/4, 2*math.Pi); math.Abs(off) > 1e-12 || math.Abs(math.Hypot(d[0], d[1])-1) > 1e-12 {
			t.Errorf("LED %d is seen in the direction %v", i, d)
		}
	}
}

// The rotation of the IMU has rows of length 1, at right angles, and does not mirror.
func TestIMURotationIsARotation(t *testing.T) {
	r := robot.IMURotation()
	for i := range 3 {
		a, b, c := r[i], r[(i+1)%3], r[(i+2)%3]
		for k := range 3 { // a × b = c
			if v := a[(k+1)%3]*b[(k+2)%3] - a[(k+2)%3]*b[(k+1)%3]; v != c[k] {
				t.Errorf("rows %d and %d: %v", i, (i+1)%3, r)
			}
		}
	}
}

// The principal point is near the middle of the picture, and the field of view is that of a square pixel.
func TestLensFitsThePicture(t *testing.T) {
	if math.Abs(robot.LensCenterX-320) > 32 || math.Abs(robot.LensCenterY-240) > 24 {
		t.Errorf("the principal point is at %g, %g", robot.LensCenterX, robot.LensCenterY)
	}
	if r := robot.LensFocalY / robot.LensFocalX; math.Abs(r-1) > 0.01 {
		t.Errorf("the focal lengths differ by the factor %g", r)
	}
	left := math.Atan2(robot.LensCenterX, robot.LensFocalX)
	right := math.Atan2(640-robot.LensCenterX, robot.LensFocalX)
	if math.Abs(left+right-robot.CameraFieldOfView()) > 1e-6 {
		t.Errorf("from the principal point %g and %g rad", left, right)
	}
	if d := robot.CameraFieldOfView() * 180 / math.Pi; math.Abs(d-37.6) > 0.05 {
		t.Errorf("field of view %g°", d)
	}
}

func Example() {
	fmt.Printf("%.0f mm wide, ps2 looks to %.0f°\n", 2000*robot.BodyRadius, robot.Infrared()[2].Heading*180/math.Pi)
	// Output: 70 mm wide, ps2 looks to -90°
}

// TestInertialMeasuresAreOfOneChip: a count is less than the noise of a reading at 10 Hz, so that noise is seen, and a
// bias less than the tolerance of the data sheet (60 mg and 5 °/s) and far within the range.
func TestInertialMeasuresAreOfOneChip(t *testing.T) {
	const g, rate = 9.80665, math.Pi / 180
	for _, c := range []struct {
		name                                    string
		density, bias, greatest, tolerance, top float64
	}{
		{"accelerometer", robot.AccelNoiseDensity, robot.AccelBias, robot.AccelRange, 0.06 * g, 2 * g},
		{"gyroscope", robot.GyroNoiseDensity, robot.GyroBias, robot.GyroRange, 5 * rate, 500 * rate},
	} {
		if c.greatest/robot.InertialCounts > c.density*math.Sqrt(10) || c.bias > c.tolerance || math.Abs(c.greatest-c.top) > 1e-12 {
			t.Errorf("%+v", c)
		}
	}
}
