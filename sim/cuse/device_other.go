// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package cuse

import (
	"errors"
	"fmt"
	"log/slog"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// ErrUnavailable is matched by the error of Open.
var ErrUnavailable = errors.New("cuse: no device file can be made")

// Config describes a device.
type Config struct {
	Number int          // N of /dev/i2c-N
	Bus    i2c.Bus      // what is behind it
	Logger *slog.Logger // may be nil
}

// Device is a device file: none here.
type Device struct{}

// Open returns an error that matches [ErrUnavailable] and [system.ErrNeedsLinux].
func Open(c Config) (*Device, error) {
	return nil, fmt.Errorf("%w: %w", ErrUnavailable, system.NeedsLinux(fmt.Sprintf("/dev/i2c-%d", c.Number),
		"without --device the simulator and its driver are one program"))
}

// Path returns the name of the file.
func (*Device) Path() string { return "" }

// Close removes the file.
func (*Device) Close() error { return nil }
