// SPDX-License-Identifier: Apache-2.0

package v4l2

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Sentinel errors, besides those of package camera. Test for them with errors.Is.
var (
	// errBusy is matched when another program uses the camera.
	errBusy = errors.New("v4l2: camera is used by another program")
	// errStream is matched when the driver stopped the stream though the camera is still there. Closing and opening
	// it again may help.
	errStream = errors.New("v4l2: stream failed")
	// errDriver is matched when the driver answers what the interface does not allow.
	errDriver = errors.New("v4l2: driver breaks the rules")
)

// noDeviceError says that a camera was looked for in vain, and what there is instead. It matches [camera.ErrNoDevice].
type noDeviceError struct {
	Want string // as in Config.Device
	Have []Info // every video device there is, cameras or not
	Err  error  // why the one that fits can't be opened; nil if none fits
}

// Error lists the devices there are, one clause each.
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
		b.WriteString("no video device at all")
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

// Unwrap returns the reason, if the device was there.
func (e *noDeviceError) Unwrap() error { return e.Err }

// during names the step in which the kernel refused, and gives the error its meaning.
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
