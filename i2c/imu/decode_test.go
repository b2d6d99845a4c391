// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"math"
	"testing"
)

func TestDecode(t *testing.T) {
	s := scale{MPU9250, 2, 250}
	b := []byte{0x40, 0, 0xC0, 0, 0, 1, 0, 0, 0x7F, 0xFF, 0x80, 0x00, 0x80, 0x01}
	got, err := s.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "accel", got.Accel, [3]float64{standardGravity, -standardGravity, standardGravity / 16384}, 1e-12)
	near(t, "gyro", got.Gyro, [3]float64{4.3631897, -4.3633231, -4.3631899}, 1e-6)
	if got.Temperature != 21 || !got.Clipped {
		t.Errorf("%+v", got)
	}
	s.Model = ICM20948
	got, err = s.Decode([]byte{0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 1, 0x4E})
	lsb := 250 * math.Pi / 180 / 32768
	near(t, "gyro", got.Gyro, [3]float64{5 * lsb, 6 * lsb, 7 * lsb}, 1e-12)
	if err != nil || math.Abs(got.Temperature-22) > 0.001 || got.Clipped {
		t.Errorf("%+v, %v", got, err)
	}
	ones := make([]byte, BlockSize)
	for i := range ones {
		ones[i] = 0xFF
	}
	for _, bad := range [][]byte{make([]byte, BlockSize), ones} {
		if _, err := s.Decode(bad); !errors.Is(err, errImplausible) {
			t.Errorf("% x: %v", bad, err)
		}
	}
	for _, n := range []int{0, 13, 15} {
		if _, err := s.Decode(make([]byte, n)); !errors.Is(err, errLength) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestDecodeField(t *testing.T) {
	unit := [3]float64{1, 1, 1}
	f, ok, err := decodeAK8963(&[8]byte{1, 10, 0, 20, 0, 30, 0, 0x10}, &unit)
	if near(t, "AK8963", f, [3]float64{20 * akTesla, 10 * akTesla, -30 * akTesla}, 1e-15); !ok || err != nil {
		t.Error(f, ok, err)
	}
	if _, ok, err := decodeAK8963(&[8]byte{0, 0, 0, 0, 0, 0, 0, 0x10}, &unit); ok || err != nil {
		t.Error("nothing measured", ok, err)
	}
	if _, ok, err := decodeAK8963(&[8]byte{0x80, 0x80, 0x80, 0, 0, 0, 0, 0}, &unit); ok || err != nil {
		t.Error("no measurement", ok, err)
	}
	if _, ok, err := decodeAK8963(&[8]byte{1, 10, 0, 20, 0, 30, 0, 0x18}, &unit); ok || !errors.Is(err, errOverflow) {
		t.Error("overflow", ok, err)
	}
	f, ok, err = decodeAK09916(&[9]byte{0, 10, 0, 20, 0, 30, 0, 0, 0})
	if near(t, "AK09916", f, [3]float64{10 * ak9Tesla, -20 * ak9Tesla, -30 * ak9Tesla}, 1e-15); !ok || err != nil {
		t.Error(f, ok, err)
	}
	if _, ok, err := decodeAK09916(&[9]byte{}); ok || err != nil {
		t.Error("nothing fetched", ok, err)
	}
	if _, ok, err := decodeAK09916(&[9]byte{8: 8}); ok || !errors.Is(err, errOverflow) {
		t.Error("overflow", ok, err)
	}
	if adjustment(128) != 1 || adjustment(176) != 1.1875 || adjustment(0) != 0.5 {
		t.Error(adjustment(128), adjustment(176), adjustment(0))
	}
}

// FuzzDecode: with any bytes the values are within the full scales, or there is an error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x40, 0, 0xC0, 0, 0, 1, 0, 0, 0x7F, 0xFF, 0x80, 0x00, 0x80, 0x01}, uint8(1))
	f.Add([]byte{0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 1, 0x4E, 1, 100, 0, 0x9C, 0xFF, 50, 0, 0, 0}, uint8(4))
	f.Add(make([]byte, BlockSize), uint8(2))
	f.Add([]byte{}, uint8(9))
	f.Fuzz(func(t *testing.T, b []byte, model uint8) {
		s, err := scale{Model(model), 4, 500}.Decode(b)
		if err != nil && s != (Reading{}) {
			t.Errorf("% x: %+v and %v", b, s, err)
		}
		for i := range 3 {
			if math.Abs(s.Accel[i]) > 4*standardGravity || math.Abs(s.Gyro[i]) > 500*radPerDegree {
				t.Errorf("% x: %+v", b, s)
			}
		}
		if len(b) < ak9Block {
			return
		}
		unit := [3]float64{1, 1, 1}
		for _, decode := range []func() ([3]float64, bool, error){
			func() ([3]float64, bool, error) { return decodeAK8963((*[8]byte)(b), &unit) },
			func() ([3]float64, bool, error) { return decodeAK09916((*[9]byte)(b)) },
		} {
			field, ok, err := decode()
			if ok && err != nil {
				t.Errorf("% x: a field and %v", b, err)
			}
			for _, v := range field {
				if math.Abs(v) > 5e-3 {
					t.Errorf("% x: %v T", b, field)
				}
			}
		}
	})
}
