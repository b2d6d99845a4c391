// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Sentinel errors in addition to those of package camera.
var (
	// errBusy is wrapped when another program uses the camera.
	errBusy = errors.New("v4l2: camera is used by another program")
	// errStream is wrapped when the driver stopped the stream although the camera is still present. Reopening it may
	// help.
	errStream = errors.New("v4l2: stream failed")
	// errDriver is wrapped when the driver violates the V4L2 API.
	errDriver = errors.New("v4l2: driver violates the V4L2 API")
)

// noDeviceError names the camera that was not found and lists the existing devices. It matches [camera.ErrNoDevice].
type noDeviceError struct {
	Want string // as in Config.Device
	Have []Info // all video devices
	Err  error  // reason why the matching one can't be opened; nil if none matches
}

// Error lists the existing devices.
func (e *noDeviceError) Error() string {
	var b strings.Builder
	switch {
	case e.Want == "" || e.Want == auto:
		b.WriteString("v4l2: no USB camera (driver uvcvideo) found")
	default:
		fmt.Fprintf(&b, "v4l2: no camera %q found", e.Want)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	b.WriteString("; there is: ")
	if len(e.Have) == 0 {
		b.WriteString("none")
	}
	for i, d := range e.Have {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.String())
	}
	return b.String()
}

// Is reports whether target is [camera.ErrNoDevice].
func (e *noDeviceError) Is(target error) bool { return target == camera.ErrNoDevice }

// Unwrap returns the reason if the device was found.
func (e *noDeviceError) Unwrap() error { return e.Err }

// during adds the failed step to an error of the kernel, and the sentinel for its number.
func during(step, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, camera.ErrNotBuiltIn):
		return err
	case errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.ENXIO):
		return fmt.Errorf("%w: %s: %s: %w", camera.ErrUnplugged, path, step, err)
	case errors.Is(err, syscall.EBUSY):
		return fmt.Errorf("%w: %s: %s: %w", errBusy, path, step, err)
	default:
		return fmt.Errorf("v4l2: %s: %s: %w", path, step, err)
	}
}
