// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"math"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
)

// kernelTimeout is an adapter's time-out until it is set, which on this
// robot is dangerously long.
const kernelTimeout = time.Second

// timeoutUnit is that of I2C_TIMEOUT.
const timeoutUnit = 10 * time.Millisecond

// timeouter is a bus whose time-out can be set, as that of sim/vbus can.
type timeouter interface {
	SetTimeout(time.Duration)
}

// message is struct i2c_msg.
type message struct {
	addr uint16
	read bool
	buf  []byte
}

// adapter is what all openers share: the bus and its settings.
type adapter struct {
	bus i2c.Bus

	mu      sync.Mutex // held during a transaction: no other opener gets in between
	set     sync.Mutex // guards what follows
	retries uint32
	timeout time.Duration
}

func newAdapter(bus i2c.Bus) *adapter {
	a := &adapter{bus: bus}
	a.setTimeout(kernelTimeout)
	return a
}

// setTimeout is I2C_TIMEOUT.
func (a *adapter) setTimeout(d time.Duration) {
	a.set.Lock()
	a.timeout = d
	a.set.Unlock()
	if t, ok := a.bus.(timeouter); ok {
		t.SetTimeout(d)
	}
}

// setRetries is I2C_RETRIES: how often a transaction is repeated that lost the bus to another master.
func (a *adapter) setRetries(n uint32) {
	a.set.Lock()
	defer a.set.Unlock()
	a.retries = n
}

func (a *adapter) settings() (retries uint32, timeout time.Duration) {
	a.set.Lock()
	defer a.set.Unlock()
	return a.retries, a.timeout
}

// transact runs messages in one transaction. As i2c-core does, it tries again when the bus was lost, until the
// adapter's time-out.
func (a *adapter) transact(messages []message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	retries, timeout := a.settings()
	began := time.Now()
	for try := uint32(0); ; try++ {
		err := a.once(messages)
		if !errors.Is(err, syscall.EAGAIN) || try >= retries || time.Since(began) > timeout {
			return err
		}
	}
}

// once runs messages as the fewest transfers that a periph bus can make of them.
func (a *adapter) once(messages []message) error {
	for len(messages) > 0 {
		n := 1
		var err error
		switch m := messages[0]; {
		case m.read:
			err = a.bus.Tx(m.addr, nil, m.buf)
		case len(messages) > 1 && messages[1].read && messages[1].addr == m.addr:
			n, err = 2, a.bus.Tx(m.addr, m.buf, messages[1].buf)
		default:
			err = a.bus.Tx(m.addr, m.buf, nil)
		}
		if err != nil {
			return err
		}
		messages = messages[n:]
	}
	return nil
}

// units turns the argument of I2C_TIMEOUT into a duration.
func units(arg uint64) (time.Duration, error) {
	if arg > math.MaxInt32 {
		return 0, syscall.EINVAL
	}
	return time.Duration(arg) * timeoutUnit, nil
}
