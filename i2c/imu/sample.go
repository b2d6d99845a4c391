// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"encoding/binary"
	"fmt"
	"math"
)

const (
	// standardGravity in m/s².
	standardGravity = 9.80665
	radPerDegree    = math.Pi / 180
)

// BlockSize is the length of the block of measurements of all models, bytes.
const BlockSize = 14

// Reading is one measurement of accelerometer and gyroscope, in the robot's axes.
type Reading struct {
	Accel       [3]float64 // specific force, gravity included, m/s²
	Gyro        [3]float64 // angular velocity, rad/s
	Temperature float64    // of the chip, °C
	Clipped     bool       // an axis is at the end of its range, as in a collision
}

// scale is the configuration that a block of measurements was made with.
type scale struct {
	Model      Model
	AccelRange int // full scale, g
	GyroRange  int // full scale, °/s
}

// raw is a block split into its values.
type raw struct {
	accel, gyro [3]int16
	temp        int16
}

// split splits a block into its values.
func (m Model) split(b *[BlockSize]byte) raw {
	var words [7]int16
	for i := range words {
		words[i] = int16(binary.BigEndian.Uint16(b[2*i:]))
	}
	if m == ICM20948 {
		return raw{[3]int16(words[0:3]), [3]int16(words[3:6]), words[6]}
	}
	return raw{[3]int16(words[0:3]), [3]int16(words[4:7]), words[3]}
}

// Decode converts a block of 14 bytes to SI units, in the chip's own axes. It fails if b has another length, or is all
// zeros, as from a sleeping chip, or all ones, as from an idle bus; the error has the length or the byte.
func (s scale) Decode(b []byte) (Reading, error) {
	if len(b) != BlockSize {
		return Reading{}, fmt.Errorf("%w: %d bytes, want %d", errLength, len(b), BlockSize)
	}
	and, or := byte(0xFF), byte(0)
	for _, v := range b {
		and, or = and&v, or|v
	}
	if or == 0 || and == 0xFF {
		return Reading{}, fmt.Errorf("%w: all bytes are %#02x", errImplausible, and)
	}
	r := s.Model.split((*[BlockSize]byte)(b))
	out := Reading{Temperature: float64(r.temp)/333.87 + 21}
	accel := float64(s.AccelRange) * standardGravity / 32768
	gyro := float64(s.GyroRange) * radPerDegree / 32768
	for i := range 3 {
		out.Accel[i] = float64(r.accel[i]) * accel
		out.Gyro[i] = float64(r.gyro[i]) * gyro
		out.Clipped = out.Clipped || clipped(r.accel[i]) || clipped(r.gyro[i])
	}
	return out, nil
}

func clipped(v int16) bool { return v == math.MaxInt16 || v == math.MinInt16 }
