// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// ResponseTimeout is how long a transaction with the main processor waits for sensors. Three of these, the driver's tries, are
// less than the wheels' guard allows.
const ResponseTimeout = 80 * time.Millisecond

// bus is one opened handle of the main processor: an I2C bus with nothing else.
type bus struct {
	robot *Robot
	mu    sync.Mutex // held during a transaction
	timer *time.Timer
	shut  bool
}

var _ pi2c.BusCloser = (*bus)(nil)

// String returns the robot's name.
func (b *bus) String() string { return "wifi:" + b.robot.cfg.Address }

// SetSpeed fails: there is no wire.
func (b *bus) SetSpeed(f physic.Frequency) error {
	return fmt.Errorf("%w: speed %v of %s", i2c.ErrUnsupported, f, b)
}

// Close closes this handle.
func (b *bus) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shut = true
	return nil
}

// Tx makes one transaction with the main processor: it sends the command and waits for sensors. Other addresses do not
// acknowledge.
func (b *bus) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.shut:
		return &linkError{addr: b.robot.cfg.Address, why: "closed", err: i2c.ErrClosed, no: syscall.EBADF}
	case addr == mcu.Addr && len(w) == mcu.CommandSize && len(r) == mcu.SensorsSize:
		return b.exchange((*[mcu.CommandSize]byte)(w), (*[mcu.SensorsSize]byte)(r))
	}
	return system.EREMOTEIO
}
