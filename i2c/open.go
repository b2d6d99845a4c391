// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"syscall"
	"time"
)

// timeoutUnit is the kernel's unit of an adapter's time-out.
const timeoutUnit = 10 * time.Millisecond

// Config is the configuration of [Open]. The zero value opens the Pi-puck's bus.
type Config struct {
	// Bus is "auto", a number or the path of a device file: see [Find]. It defaults to "auto".
	Bus string
	// Timeout of one message, set on the adapter at the root of the bus in whole units of 10 ms, rounded up. The
	// kernel's default is 1 s, during which the wheels could not be stopped. It defaults to 20 ms; below 0 the
	// kernel's is kept.
	Timeout time.Duration
	// Root is the file system to search. It defaults to os.DirFS("/").
	Root fs.FS
	// Logger receives a line if the time-out could not be set, which is no error. It defaults to none.
	Logger *slog.Logger

	open func(path string) (port, error) // tests; openFile otherwise
}

// Open finds and opens a bus. The caller closes it. The error matches [ErrNoBus] and lists possible fixes.
func Open(cfg Config) (*Adapter, error) {
	if cfg.Root == nil {
		cfg.Root = os.DirFS("/")
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 2 * timeoutUnit
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.open == nil {
		if err := supported(); err != nil {
			return nil, err
		}
		cfg.open = openFile
	}
	a := &Adapter{find: cfg.find}
	var err error
	if a.loc, a.port, err = cfg.find(); err != nil {
		return nil, err
	}
	return a, nil
}

// find searches for the bus and opens its device file.
func (cfg *Config) find() (Location, port, error) {
	loc, err := Find(cfg.Root, cfg.Bus)
	if err != nil {
		return Location{}, nil, err
	}
	p, err := cfg.open(loc.Path)
	if err != nil {
		return Location{}, nil, cannotOpen(cfg.Bus, loc, err)
	}
	if fn, err := p.functions(); err != nil || fn&funcI2C == 0 {
		_ = p.close()
		if err == nil {
			err = fmt.Errorf("adapter cannot do plain I2C transactions (I2C_FUNCS %#x)", fn)
		}
		return Location{}, nil, cannotOpen(cfg.Bus, loc, err)
	}
	if err := cfg.setTimeout(loc, p); err != nil {
		cfg.Logger.Warn("i2c: time-out not set; a bus that hangs will block for the kernel's 1 s",
			"adapter", loc.Root, "timeout", cfg.Timeout, "error", err)
	}
	return loc, p, nil
}

// setTimeout shortens the time-out of the root adapter: a channel of a multiplexer passes its transfers to it.
func (cfg *Config) setTimeout(loc Location, p port) error {
	if cfg.Timeout < 0 {
		return nil
	}
	units := int((cfg.Timeout + timeoutUnit - 1) / timeoutUnit)
	if loc.Root == loc.Path {
		return p.setTimeout(units)
	}
	root, err := cfg.open(loc.Root)
	if err != nil {
		return err
	}
	return errors.Join(root.setTimeout(units), root.close())
}

// cannotOpen returns the error for a bus that exists but can't be opened.
func cannotOpen(name string, loc Location, err error) error {
	e := &NoBusError{Bus: name, Model: machine(), Err: err}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Tried = []Attempt{{loc.Path, "permission denied"}}
		e.Fixes = []string{fixGroup}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.ENXIO):
		e.Tried = []Attempt{{loc.Path, "the device file has no driver behind it: " + err.Error()}}
		e.Fixes = []string{fixDev, fixMux}
	default:
		e.Tried = []Attempt{{loc.Path, "cannot be used: " + err.Error()}}
		e.Fixes = []string{fixName}
	}
	return e
}
