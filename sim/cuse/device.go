// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Config says what is served, and as what.
type Config struct {
	// Bus is what programs get: any periph bus. The device does not close it.
	Bus i2c.Bus
	// Number makes the device /dev/i2c-Number, 0 to 65535. It defaults to 0.
	Number int
	// Logger hears, at debug level, of programs that come and go. It defaults to none.
	Logger *slog.Logger
}

// Device is a device file that is there until it is closed. Its methods are safe for concurrent use.
type Device struct {
	name    string
	log     *slog.Logger
	channel io.ReadWriteCloser // one message per call
	adapter *adapter
	calls   task.Group    // requests that are being answered
	done    chan struct{} // closed when nothing is served any more
	err     error         // why; valid once done is closed

	mu      sync.Mutex // guards what follows
	openers map[uint64]*opener
	last    uint64 // file handle given
	closing bool
}

// Open makes the device file and begins to serve it. It fails if cfg has no bus or a number that is not 0 to 65535, if
// the file exists already (the error names it), with [ErrUnavailable], which says what to do about it, or if the
// kernel's first message is not the expected one or it refuses the device.
func Open(cfg Config) (*Device, error) {
	if cfg.Bus == nil || cfg.Number < 0 || cfg.Number > 0xFFFF {
		return nil, fmt.Errorf("%w: number %d, bus %v", errConfig, cfg.Number, cfg.Bus)
	}
	path := fmt.Sprintf("/dev/i2c-%d", cfg.Number)
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%w: %s", errExists, path)
	}
	channel, err := openChannel("/dev/cuse")
	if err != nil {
		return nil, err
	}
	return answer(cfg, channel)
}

// answer answers the kernel on a channel that is open.
func answer(cfg Config, channel io.ReadWriteCloser) (*Device, error) {
	d := &Device{
		name:    fmt.Sprintf("i2c-%d", cfg.Number),
		log:     cfg.Logger,
		channel: channel,
		adapter: newAdapter(cfg.Bus),
		done:    make(chan struct{}),
		openers: make(map[uint64]*opener),
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	if err := d.greet(); err != nil {
		return nil, errors.Join(err, channel.Close())
	}
	task.Go("device file", d.loop)
	return d, nil
}

// greet answers the kernel's first message, upon which the device file is there.
func (d *Device) greet() error {
	buf := make([]byte, requestSize)
	n, err := d.channel.Read(buf)
	if err != nil {
		return fmt.Errorf("%w: no initialisation: %w", errProtocol, err)
	}
	r, err := parseRequest(buf[:n])
	if err != nil {
		return err
	}
	answer, err := initAnswer(r, d.name)
	if err != nil {
		return err
	}
	if _, err = d.channel.Write(answer); err != nil {
		return fmt.Errorf("%w: /dev/%s refused: %w", errProtocol, d.name, err)
	}
	return nil
}

// Path is the device file.
func (d *Device) Path() string { return "/dev/" + d.name }

// Openers is how many files of the device are open.
func (d *Device) Openers() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.openers)
}

// Done is closed when the device serves no program any more: after Close, or when the kernel gave it up.
func (d *Device) Done() <-chan struct{} { return d.done }

// Close makes the device file vanish, as an adapter does that is unplugged, and waits for transfers that are under way.
// It returns the error that ended the service before, if one did. Closing again does nothing.
func (d *Device) Close() error {
	d.mu.Lock()
	again := d.closing
	d.closing = true
	d.mu.Unlock()
	var err error
	if !again {
		err = d.channel.Close()
		if errors.Is(err, os.ErrClosed) {
			err = nil
		}
	}
	<-d.done
	if again {
		return nil
	}
	return errors.Join(err, d.err)
}
