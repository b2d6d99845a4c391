// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"fmt"
	"strings"
)

// Sentinel errors in addition to those of package camera. Test for them with errors.Is.
var (
	// ErrNoDevice is matched when this machine has no such GPU device; the error lists the devices it has.
	ErrNoDevice = errors.New("m2m: no such GPU device")
	// errFormat is wrapped when the device does not support the requested format.
	errFormat = errors.New("m2m: not supported by the GPU")
	// errHang is wrapped when the GPU did not respond in time. It matches [camera.ErrTimeout], too.
	errHang = errors.New("m2m: the GPU does not respond")
	// errDriver is wrapped when the driver violates the V4L2 API.
	errDriver = errors.New("m2m: driver violates the V4L2 API")
)

// noDeviceError names the requested device and lists those found. It matches [ErrNoDevice].
type noDeviceError struct {
	Want string   // card name, or path
	Have []string // `/dev/video10 ("bcm2835-codec-decode")`
	Err  error    // reason why the matching one can't be used; nil if none matches
}

// Error lists the devices found.
func (e *noDeviceError) Error() string {
	have := strings.Join(e.Have, ", ")
	if have == "" {
		have = "none"
	}
	if e.Err != nil {
		return fmt.Sprintf("m2m: %q can't be used: %v; there is: %s", e.Want, e.Err, have)
	}
	return fmt.Sprintf("m2m: no device %q found; there is: %s", e.Want, have)
}

// Is reports whether target is [ErrNoDevice].
func (e *noDeviceError) Is(target error) bool { return target == ErrNoDevice }

// Unwrap returns the reason.
func (e *noDeviceError) Unwrap() error { return e.Err }
