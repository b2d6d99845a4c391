// SPDX-License-Identifier: Apache-2.0

package world

import "slices"

// CameraModel is how a robot's camera differs from one with an ideal lens and a sensor without noise. The zero value
// does not.
type CameraModel struct {
	Distortion Distortion `yaml:"distortion"`
	Vignetting int        `yaml:"vignetting"` // the light falls with this power of the cosine of the angle to the axis
	Noise      float64    `yaml:"noise"`      // as a multiple of that in the sensor's data sheet
}

// Distortion are the coefficients of the lens's distortion as in sensor_msgs/CameraInfo, model plumb_bob.
type Distortion struct {
	K1 float64 `yaml:"k1"`
	K2 float64 `yaml:"k2"`
	P1 float64 `yaml:"p1"`
	P2 float64 `yaml:"p2"`
	K3 float64 `yaml:"k3"`
}

// Limits of a camera's model. Every distortion within them can be undone in the whole picture
// (TestDistortionsOfWorldFilesCanBeDrawn).
const (
	maxRadial      = 0.4
	maxTangential  = 0.02
	maxVignetting  = 16
	maxCameraNoise = 100.0
)

// cameraModel checks how a camera differs from an ideal one.
func (c *checker) cameraModel(m *CameraModel, path ...any) {
	at := func(fields ...any) []any { return append(slices.Clip(path), fields...) }
	if m.Vignetting < 0 || m.Vignetting > maxVignetting {
		c.fail("must be 0 to %d, is %d", []any{maxVignetting, m.Vignetting}, at("vignetting")...)
	}
	c.number(m.Noise, 0, maxCameraNoise, at("noise")...)
	d := &m.Distortion
	for _, k := range []struct {
		name        string
		value, most float64
	}{{"k1", d.K1, maxRadial}, {"k2", d.K2, maxRadial}, {"p1", d.P1, maxTangential}, {"p2", d.P2, maxTangential}, {"k3", d.K3, maxRadial}} {
		c.number(k.value, -k.most, k.most, at("distortion", k.name)...)
	}
}

// cameraLimits returns what the values of a camera's model must be.
func cameraLimits(field string) schema {
	switch field {
	case "CameraModel.vignetting":
		return schema{"minimum": 0, "maximum": maxVignetting}
	case "CameraModel.noise":
		return between(0, maxCameraNoise)
	case "Distortion.k1", "Distortion.k2", "Distortion.k3":
		return between(-maxRadial, maxRadial)
	case "Distortion.p1", "Distortion.p2":
		return between(-maxTangential, maxTangential)
	}
	return schema{}
}
