// SPDX-License-Identifier: Apache-2.0

// Package helm lets one viewer at a time drive a robot, and stops the robot when that viewer falls silent: a thumb
// lifted, a tab hidden, a phone out of reach.
package helm

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Errors of a [Helm]. Test for them with errors.Is.
var (
	// ErrTaken is matched when another viewer drives the robot.
	ErrTaken = errors.New("helm: taken")
	// ErrNotDriver is matched when a viewer commands a robot that it has not taken.
	ErrNotDriver = errors.New("helm: take control first")
	// ErrSpeed is matched when a speed is no number.
	ErrSpeed = errors.New("helm: no speed")
	// ErrClosed is matched by Take and Drive after Close.
	ErrClosed = errors.New("helm: closed")
)

const (
	// DefaultTimeout is how long a robot drives on after the last command: shorter than the driver's own 0.5 s.
	DefaultTimeout = 300 * time.Millisecond
	// stopMessages are sent when a robot is to stop, stopPeriod apart, in case one is lost.
	stopMessages = 3
	stopPeriod   = 100 * time.Millisecond
)

// Rudder sends speeds to one robot. Drive must not block.
type Rudder interface {
	// Drive sends m/s forward and rad/s to the left.
	Drive(v, w float64) error
	Close()
}

// Config describes a [Helm].
type Config struct {
	// Open gives the rudder of a robot, known by its namespace. It is required.
	Open func(robot string) (Rudder, error)
	// Timeout is how long a robot drives on after the last command. It defaults to [DefaultTimeout].
	Timeout time.Duration
	// Logger hears who drives what. It defaults to silence.
	Logger *slog.Logger
}

// Driver is who drives. Two are the same if they are the same pointer.
type Driver struct {
	// Name is shown to the others.
	Name string
}

// Helm knows who drives which robot. It is safe for concurrent use; Close stops what drives.
type Helm struct {
	cfg Config

	mu       sync.Mutex
	closed   bool
	held     map[string]*hold
	watchers map[*func()]struct{}
}

// hold is a robot that has a driver.
type hold struct {
	driver *Driver
	rudder Rudder
	timer  *time.Timer
	moving bool
	zeros  int // still to send
	ended  bool
}

// New returns a helm without a driver.
func New(cfg Config) *Helm {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Helm{cfg: cfg, held: map[string]*hold{}, watchers: map[*func()]struct{}{}}
}

// Take makes d the driver of a robot. If another is, the error matches [ErrTaken], unless force says to take the robot
// over: then it stops first. After Close the error matches [ErrClosed].
func (h *Helm) Take(robot string, d *Driver, force bool) error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return fmt.Errorf("%w: %s", ErrClosed, robot)
	}
	now := h.held[robot]
	if now != nil && (now.driver == d || !force) {
		h.mu.Unlock()
		if now.driver == d {
			return nil
		}
		return fmt.Errorf("%w: %s drives %s", ErrTaken, now.driver.Name, robot)
	}
	h.mu.Unlock()
	rudder, err := h.cfg.Open(robot) // may wait for the network
	if err != nil {
		return err
	}
	h.mu.Lock()
	if again := h.held[robot]; again != now || h.closed { // Close, or another driver, was quicker
		why := ErrTaken
		if h.closed {
			why = ErrClosed
		}
		h.mu.Unlock()
		rudder.Close()
		return fmt.Errorf("%w: %s", why, robot)
	}
	if now != nil {
		h.endLocked(robot, now)
	}
	hold := &hold{driver: d, rudder: rudder}
	hold.timer = task.AfterFunc(time.Hour, "dead man of a viewer", func() { h.expire(robot, hold) })
	hold.timer.Stop()
	h.held[robot] = hold
	h.mu.Unlock()
	h.cfg.Logger.Info("a viewer drives", slog.String("robot", robot), slog.String("driver", d.Name))
	h.announce()
	return nil
}

// Drive sends speeds, m/s forward and rad/s to the left, to a robot that d has taken. Within the time-out another
// command must follow, or the robot stops. After Close the error matches [ErrClosed].
func (h *Helm) Drive(robot string, d *Driver, v, w float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(w) || math.IsInf(w, 0) {
		return fmt.Errorf("%w: %v m/s, %v rad/s", ErrSpeed, v, w)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	hold := h.held[robot]
	switch {
	case h.closed:
		return fmt.Errorf("%w: %s", ErrClosed, robot)
	case hold == nil || hold.driver != d:
		return fmt.Errorf("%w: %s", ErrNotDriver, robot)
	}
	hold.moving, hold.zeros = v != 0 || w != 0, 0
	if hold.moving {
		hold.timer.Reset(h.cfg.Timeout)
	} else {
		hold.zeros = stopMessages - 1
		hold.timer.Reset(stopPeriod)
	}
	return hold.rudder.Drive(v, w)
}

// expire stops a robot whose driver fell silent, and sends the zeros that follow a zero.
func (h *Helm) expire(robot string, hold *hold) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if hold.ended {
		return
	}
	if hold.moving {
		hold.moving, hold.zeros = false, stopMessages
		h.cfg.Logger.Warn("no command within the time: the robot stops", slog.String("robot", robot), slog.String("driver", hold.driver.Name))
	}
	if hold.zeros == 0 {
		return
	}
	hold.zeros--
	if err := hold.rudder.Drive(0, 0); err != nil {
		h.cfg.Logger.Warn("stop not sent", slog.String("robot", robot), slog.Any("error", err))
	}
	if hold.zeros > 0 {
		hold.timer.Reset(stopPeriod)
	}
}

// Release returns a robot back that d has taken; it stops. What is not d's stays.
func (h *Helm) Release(robot string, d *Driver) {
	h.mu.Lock()
	hold := h.held[robot]
	mine := hold != nil && hold.driver == d
	if mine {
		h.endLocked(robot, hold)
	}
	h.mu.Unlock()
	if mine {
		h.announce()
	}
}

// Leave returns all robots back that d has taken; they stop.
func (h *Helm) Leave(d *Driver) {
	h.mu.Lock()
	left := false
	for robot, hold := range h.held {
		if hold.driver == d {
			h.endLocked(robot, hold)
			left = true
		}
	}
	h.mu.Unlock()
	if left {
		h.announce()
	}
}

// endLocked stops a robot that drives and takes its driver away. A robot that stands is not sent anything: another
// program may drive it.
func (h *Helm) endLocked(robot string, hold *hold) {
	hold.ended = true
	hold.timer.Stop()
	if hold.moving || hold.zeros > 0 {
		for range stopMessages {
			if err := hold.rudder.Drive(0, 0); err != nil {
				h.cfg.Logger.Warn("stop not sent", slog.String("robot", robot), slog.Any("error", err))
			}
		}
	}
	hold.rudder.Close()
	delete(h.held, robot)
}

// Held is a robot with its driver.
type Held struct {
	Robot  string
	Driver *Driver
}

// State returns the robots that have a driver, sorted by name.
func (h *Helm) State() []Held {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Held, 0, len(h.held))
	for robot, hold := range h.held {
		list = append(list, Held{robot, hold.driver})
	}
	slices.SortFunc(list, func(a, b Held) int { return strings.Compare(a.Robot, b.Robot) })
	return list
}

// Watch calls f after each change of who drives, until cancel is called. f must not block.
func (h *Helm) Watch(f func()) (cancel func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers[&f] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers, &f)
	}
}

func (h *Helm) announce() {
	h.mu.Lock()
	var all []func()
	for f := range h.watchers {
		all = append(all, *f)
	}
	h.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// Close stops all robots that drive and takes their drivers away, for good. Closing twice is harmless.
func (h *Helm) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for robot, hold := range h.held {
		h.endLocked(robot, hold)
	}
}
