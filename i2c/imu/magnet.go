// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"encoding/binary"
	"fmt"
)

// Field is one measurement of the magnetometer, in the robot's axes.
type Field struct {
	// Field is the magnetic flux density in tesla, motors and magnets of the robot included.
	Field [3]float64
}

// MagnetometerVariance is the approximate variance of a [Field], T² per axis: 0.5 µT rms.
const MagnetometerVariance = 0.25e-12

const (
	magAddr = 0x0C // of both magnetometers

	// AK8963.
	akIdentity   = 0x00
	akIsAK8963   = 0x48
	akStatus     = 0x02 // ST1, x, y, z, ST2: 8 bytes
	akBlock      = 8
	akControl    = 0x0A
	akReset      = 0x0B
	akFuse       = 0x10 // sensitivity adjustment x, y, z
	akPowerDown  = 0x00
	akFuseAccess = 0x0F
	akContinuous = 0x16 // 16 bits, 100 Hz

	// AK09916.
	ak9Identity   = 0x01
	ak9IsAK09916  = 0x09
	ak9Status     = 0x10 // ST1, x, y, z, –, ST2: 9 bytes
	ak9Block      = 9
	ak9Control    = 0x31
	ak9Reset      = 0x32
	ak9Continuous = 0x08 // 100 Hz

	magOverflow = 0x08 // of ST2
	mag16Bits   = 0x10 // of ST2, AK8963

	akTesla  = 4912e-6 / 32760 // per count
	ak9Tesla = 0.15e-6         // per count
)

// decodeAK8963 decodes the 8 bytes from register 0x02 on, in the axes of the accelerometer: the magnetometer is mounted
// turned, its x is the accelerometer's y, its z points down. ok is false if there was no measurement yet, or if ST2
// does not confirm 16-bit values.
func decodeAK8963(b *[akBlock]byte, adjust *[3]float64) (field [3]float64, ok bool, err error) {
	if b[7]&magOverflow != 0 {
		return field, false, fmt.Errorf("%w: AK8963", errOverflow)
	}
	var v [3]float64
	for i := range v {
		n := int16(binary.LittleEndian.Uint16(b[1+2*i:]))
		ok = ok || n != 0
		v[i] = float64(n) * akTesla * adjust[i]
	}
	return [3]float64{v[1], v[0], -v[2]}, ok && b[7]&mag16Bits != 0, nil
}

// adjustment returns the sensitivity factor for a byte of the fuse memory.
func adjustment(asa byte) float64 { return float64((float64(asa)-128)/256) + 1 }

// decodeAK09916 decodes the 9 bytes the ICM-20948 has read from register 0x10 on, in the axes of the accelerometer: y
// and z of the magnetometer point the opposite way. ok is false if there was no measurement yet.
func decodeAK09916(b *[ak9Block]byte) (field [3]float64, ok bool, err error) {
	if b[8]&magOverflow != 0 {
		return field, false, fmt.Errorf("%w: AK09916", errOverflow)
	}
	var v [3]float64
	for i := range v {
		n := int16(binary.LittleEndian.Uint16(b[1+2*i:]))
		ok = ok || n != 0
		v[i] = float64(n) * ak9Tesla
	}
	return [3]float64{v[0], -v[1], -v[2]}, ok, nil
}
