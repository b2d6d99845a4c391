// SPDX-License-Identifier: Apache-2.0

// Package caminfo reads and writes camera calibrations in ROS's format: the YAML files of camera_calibration_parsers,
// which camera_info_manager, the calibration tools and usb_cam use, found by camera_info_manager's URLs.
//
// A [Calibration] without numbers means "not calibrated", which ROS marks by zero matrices (sensor_msgs/CameraInfo:
// K[0] is 0); image_proc then refuses to rectify.
package caminfo

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Calibration is the calibration of a camera. Matrices are row-major, lengths in pixels.
type Calibration struct {
	// Name is the name of the camera.
	Name string
	// Width and Height are the size of the images that it was made with.
	Width, Height int
	// K is the intrinsic 3×3 matrix: focal lengths and principal point of the raw image.
	K [9]float64
	// Model names the distortion model, D are its parameters; for plumb_bob k1, k2, t1, t2, k3.
	Model string
	D     []float64
	// R is the 3×3 rectification matrix, the identity for a single camera.
	R [9]float64
	// P is the 3×4 projection matrix of the rectified image.
	P [12]float64
}

// The distortion models of ROS (sensor_msgs/distortion_models.hpp).
const (
	plumbBob           = "plumb_bob"
	rationalPolynomial = "rational_polynomial"
	equidistant        = "equidistant"
)

// parameters are the numbers of parameters that a model may have. OpenCV has longer forms of the second.
var parameters = map[string][]int{plumbBob: {4, 5}, rationalPolynomial: {8, 12, 14}, equidistant: {4}}

// maxParameters is the maximum length of D for unknown models.
const maxParameters = 64

// maxSize is the maximum of Width and Height.
const maxSize = 65535

// named matches valid camera names: camera_info_manager's letters, digits and underscores, and the characters that
// drivers derive from vendors' names.
var named = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:-]*$`)

// NotCalibrated returns the calibration of a camera without one.
func NotCalibrated(name string, width, height int) *Calibration {
	return &Calibration{Name: name, Width: width, Height: height}
}

// Ideal returns the calibration of an ideal camera: focal lengths and principal point, no distortion.
func Ideal(name string, width, height int, fx, fy, cx, cy float64) *Calibration {
	return &Calibration{
		Name: name, Width: width, Height: height,
		K: [9]float64{fx, 0, cx, 0, fy, cy, 0, 0, 1}, Model: plumbBob, D: make([]float64, 5),
		R: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, P: [12]float64{fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0},
	}
}

// Calibrated reports whether there is a calibration, by ROS's convention.
func (c *Calibration) Calibrated() bool { return c.K[0] != 0 }

// CheckName returns an error that quotes the name if it is not valid for a camera.
func CheckName(name string) error {
	if !named.MatchString(name) || len(name) > 255 {
		return fmt.Errorf("%w: camera_name %q: letters, digits and _ only", errCalibration, name)
	}
	return nil
}

// Check validates a calibration. The error has the first invalid field, by its name in the file, and its value.
func (c *Calibration) Check() error {
	if c.Width < 1 || c.Width > maxSize {
		return fmt.Errorf("%w: image_width %d, must be 1 to %d", errCalibration, c.Width, maxSize)
	}
	if c.Height < 1 || c.Height > maxSize {
		return fmt.Errorf("%w: image_height %d, must be 1 to %d", errCalibration, c.Height, maxSize)
	}
	if c.Name != "" {
		if err := CheckName(c.Name); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name   string
		values []float64
	}{{"camera_matrix", c.K[:]}, {"distortion_coefficients", c.D}, {"rectification_matrix", c.R[:]}, {"projection_matrix", c.P[:]}} {
		for i, v := range f.values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: %s.data[%d] is %g", errCalibration, f.name, i, v)
			}
		}
	}
	if !c.Calibrated() {
		return nil
	}
	if !(c.K[0] > 0 && c.K[4] > 0) || c.K[8] != 1 {
		return fmt.Errorf("%w: camera_matrix: focal lengths %g and %g must be over 0 and its last number, %g, 1", errCalibration, c.K[0], c.K[4], c.K[8])
	}
	return c.checkModel()
}

// checkModel compares the number of parameters with the model.
func (c *Calibration) checkModel() error {
	if c.Model != "" && !named.MatchString(c.Model) {
		return fmt.Errorf("%w: distortion_model %q", errCalibration, c.Model)
	}
	may, known := parameters[c.Model]
	switch n := len(c.D); {
	case known && !slices.Contains(may, n):
		return fmt.Errorf("%w: distortion_coefficients: %d numbers, %s has %s", errCalibration, n, c.Model, either(may))
	case n > maxParameters:
		return fmt.Errorf("%w: distortion_coefficients: %d numbers, at most %d", errCalibration, n, maxParameters)
	}
	return nil
}

func either(n []int) string {
	s := strings.Trim(fmt.Sprint(n), "[]")
	return strings.ReplaceAll(s, " ", " or ")
}

// Scaled returns the calibration for images scaled to another size. The centre of the first pixel is (0, 0), so half a
// pixel moves with the scale.
func (c *Calibration) Scaled(width, height int) *Calibration {
	s := *c
	s.Width, s.Height = width, height
	if c.Width == width && c.Height == height || c.Width < 1 || c.Height < 1 || !c.Calibrated() {
		return &s
	}
	x, y := float64(width)/float64(c.Width), float64(height)/float64(c.Height)
	// A row that results in pixels is scaled, and moved by shift times the last row.
	row := func(to, last []float64, k float64) {
		for i := range to {
			to[i] = to[i]*k + (k-1)/2*last[i]
		}
	}
	row(s.K[0:3], c.K[6:9], x)
	row(s.K[3:6], c.K[6:9], y)
	row(s.P[0:4], c.P[8:12], x)
	row(s.P[4:8], c.P[8:12], y)
	return &s
}
