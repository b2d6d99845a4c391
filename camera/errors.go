// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"strings"
)

// Sentinel errors. Test for them with errors.Is.
var (
	// ErrNoDevice is matched when the camera is not present.
	ErrNoDevice = errors.New("camera: no camera found")
	// ErrMode is matched when the camera does not support a requested mode; the error is a [ModeError] with its
	// modes.
	ErrMode = errors.New("camera: mode not available")
	// ErrUnplugged is matched when the camera was unplugged while it was open.
	ErrUnplugged = errors.New("camera: unplugged")
	// ErrNotBuiltIn is matched when this program was built without the required code (no cgo).
	ErrNotBuiltIn = errors.New("camera: not built in")
	// ErrClosed is matched by any use after Close.
	ErrClosed = errors.New("camera: closed")
	// ErrTimeout is matched when an open camera sends nothing for too long.
	ErrTimeout = errors.New("camera: no frame in time")
	// ErrFrame is matched when one frame is damaged or could not be encoded; the next one may succeed.
	ErrFrame = errors.New("camera: invalid frame")
	// ErrBusy is matched when an encoder has the maximum number of frames in flight.
	ErrBusy = errors.New("camera: encoder busy")
	// ErrSetting is matched when the value of a setting is invalid.
	ErrSetting = errors.New("camera: invalid setting")
)

// ModeError is returned for a mode the camera does not have, with those it has. It matches [ErrMode].
type ModeError struct {
	Want Mode   // zero fields: any value
	Have []Mode // may be empty
}

// Error lists the available modes.
func (e *ModeError) Error() string {
	have := make([]string, len(e.Have))
	for i, m := range e.Have {
		have[i] = m.String()
	}
	list := strings.Join(have, ", ")
	if list == "" {
		list = "nothing"
	}
	return fmt.Sprintf("camera: %v is not available; there is: %s", e.Want, list)
}

// Is reports whether target is [ErrMode].
func (e *ModeError) Is(target error) bool { return target == ErrMode }
