// SPDX-License-Identifier: Apache-2.0

package caminfo

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFile is the maximum size of a file, bytes.
const maxFile = 64 << 10

// file is the layout of camera_calibration_parsers.
type file struct {
	Width      *int    `yaml:"image_width"`
	Height     *int    `yaml:"image_height"`
	Name       string  `yaml:"camera_name"`
	Camera     *matrix `yaml:"camera_matrix"`
	Model      *string `yaml:"distortion_model"`
	Distortion *matrix `yaml:"distortion_coefficients"`
	Rectify    *matrix `yaml:"rectification_matrix"`
	Project    *matrix `yaml:"projection_matrix"`
}

type matrix struct {
	Rows *int      `yaml:"rows"`
	Cols *int      `yaml:"cols"`
	Data []float64 `yaml:"data"`
}

// Parse reads the text of a calibration file. Unknown fields are ignored; distortion_model defaults to plumb_bob, as in
// old files. The error names the missing or invalid field.
func Parse(data []byte) (*Calibration, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%w: file of more than %d bytes", errCalibration, maxFile)
	}
	var f file
	if err := yaml.NewDecoder(strings.NewReader(string(data))).Decode(&f); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%w: the file is empty", errCalibration)
		}
		return nil, fmt.Errorf("%w: %s", errCalibration, strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", ""))
	}
	c := &Calibration{Name: f.Name, Model: plumbBob}
	if f.Model != nil {
		c.Model = *f.Model
	}
	for _, v := range []struct {
		name string
		from *int
		to   *int
	}{{"image_width", f.Width, &c.Width}, {"image_height", f.Height, &c.Height}} {
		if v.from == nil {
			return nil, missing(v.name)
		}
		*v.to = *v.from
	}
	for _, err := range []error{
		f.Camera.copy("camera_matrix", 3, 3, c.K[:]), f.Distortion.vector(c),
		f.Rectify.copy("rectification_matrix", 3, 3, c.R[:]), f.Project.copy("projection_matrix", 3, 4, c.P[:]),
	} {
		if err != nil {
			return nil, err
		}
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

func missing(field string) error { return fmt.Errorf("%w: %s is missing", errCalibration, field) }

// copy checks the size of a matrix and copies its numbers.
func (m *matrix) copy(name string, rows, cols int, to []float64) error {
	switch {
	case m == nil:
		return missing(name)
	case m.Rows != nil && *m.Rows != rows:
		return fmt.Errorf("%w: %s.rows is %d, must be %d", errCalibration, name, *m.Rows, rows)
	case m.Cols != nil && *m.Cols != cols:
		return fmt.Errorf("%w: %s.cols is %d, must be %d", errCalibration, name, *m.Cols, cols)
	case len(m.Data) != rows*cols:
		return fmt.Errorf("%w: %s.data has %d numbers, must be %d", errCalibration, name, len(m.Data), rows*cols)
	}
	copy(to, m.Data)
	return nil
}

// vector copies the parameters of the distortion, a row of any length.
func (m *matrix) vector(c *Calibration) error {
	const name = "distortion_coefficients"
	if m == nil {
		return missing(name)
	}
	if m.Rows != nil && m.Cols != nil && (*m.Rows < 0 || *m.Cols < 0 || *m.Rows > maxParameters || *m.Cols > maxParameters || *m.Rows**m.Cols != len(m.Data)) {
		return fmt.Errorf("%w: %s.data has %d numbers, must be %d times %d", errCalibration, name, len(m.Data), *m.Rows, *m.Cols)
	}
	c.D = m.Data
	return nil
}

// Append appends the text of the calibration's file to dst. Numbers are written with all their digits.
func (c *Calibration) Append(dst []byte) []byte {
	dst = fmt.Appendf(dst, "image_width: %d\nimage_height: %d\ncamera_name: %s\n", c.Width, c.Height, quoted(c.Name))
	dst = appendMatrix(dst, "camera_matrix", 3, 3, c.K[:])
	dst = fmt.Appendf(dst, "distortion_model: %s\n", quoted(c.Model))
	dst = appendMatrix(dst, "distortion_coefficients", 1, len(c.D), c.D)
	dst = appendMatrix(dst, "rectification_matrix", 3, 3, c.R[:])
	return appendMatrix(dst, "projection_matrix", 3, 4, c.P[:])
}

func appendMatrix(dst []byte, name string, rows, cols int, data []float64) []byte {
	dst = fmt.Appendf(dst, "%s:\n  rows: %d\n  cols: %d\n  data: [", name, rows, cols)
	for i, v := range data {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	return append(dst, "]\n"...)
}

// quoted returns a name so that YAML reads it as a string: 640 and no would be something else.
func quoted(name string) string {
	plain := name != ""
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		plain = plain && (letter || i > 0 && r >= '0' && r <= '9')
	}
	switch strings.ToLower(name) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan":
		plain = false
	}
	if plain {
		return name
	}
	return strconv.Quote(name)
}
