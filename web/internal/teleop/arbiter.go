// SPDX-License-Identifier: Apache-2.0

// Package teleop makes sure that one viewer at a time drives a robot, and stops the robot when no command of that
// viewer arrives: a finger lifted, a tab hidden, a phone out of range.
package teleop

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

// Errors of an [Arbiter]. Test for them with errors.Is.
var (
	// ErrTaken is matched when another viewer drives the robot.
	ErrTaken = errors.New("teleop: taken")
	// ErrNotDriver is matched when a viewer commands a robot that it has not taken.
	ErrNotDriver = errors.New("teleop: take control first")
	// ErrSpeed is matched when a speed is not a finite number.
	ErrSpeed = errors.New("teleop: no speed")
	// ErrClosed is matched by Take and Drive after Close.
	ErrClosed = errors.New("teleop: closed")
)

const (
	// DefaultTimeout is how long a robot keeps driving after the last command: less than the driver's own 0.5 s.
	DefaultTimeout = 300 * time.Millisecond
	// stopMessages are sent to stop a robot, stopPeriod apart, in case one is lost.
	stopMessages = 3
	stopPeriod   = 100 * time.Millisecond
)

// VelocityPublisher sends velocity commands to one robot. Drive must not block.
type VelocityPublisher interface {
	// Drive sends v in m/s forward and w in rad/s to the left.
	Drive(v, w float64) error
	Close()
}

// Config is the configuration of an [Arbiter].
type Config struct {
	// Open makes the publisher for a robot, given by its namespace. It is required.
	Open func(robot string) (VelocityPublisher, error)
	// Timeout is how long a robot keeps driving after the last command. It defaults to [DefaultTimeout].
	Timeout time.Duration
	// Logger receives a line when a viewer starts or stops driving. It defaults to none.
	Logger *slog.Logger
}

// Driver is a viewer that drives. Its identity is its pointer.
type Driver struct {
	// Name is shown to the other viewers.
	Name string
}

// Arbiter tracks which viewer drives which robot. It is safe for concurrent use; Close stops the robots that drive.
type Arbiter struct {
	cfg Config

	mu       sync.Mutex
	closed   bool
	held     map[string]*hold
	watchers map[*func()]struct{}
}

// hold is a robot that has a driver.
type hold struct {
	driver    *Driver
	publisher VelocityPublisher
	timer     *time.Timer
	moving    bool
	zeros     int // still to send
	ended     bool
}

// New returns an arbiter without drivers.
func New(cfg Config) *Arbiter {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Arbiter{cfg: cfg, held: map[string]*hold{}, watchers: map[*func()]struct{}{}}
}

// Take makes d the driver of a robot. If the robot has another driver, the error matches [ErrTaken], unless force is
// set: then the robot stops first. After Close the error matches [ErrClosed].
func (h *Arbiter) Take(robot string, d *Driver, force bool) error {
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
	publisher, err := h.cfg.Open(robot) // may wait for the network
	if err != nil {
		return err
	}
	h.mu.Lock()
	if again := h.held[robot]; again != now || h.closed { // Close or another driver was faster
		why := ErrTaken
		if h.closed {
			why = ErrClosed
		}
		h.mu.Unlock()
		publisher.Close()
		return fmt.Errorf("%w: %s", why, robot)
	}
	if now != nil {
		h.endLocked(robot, now)
	}
	hold := &hold{driver: d, publisher: publisher}
	hold.timer = task.AfterFunc(time.Hour, "dead man of a viewer", func() { h.expire(robot, hold) })
	hold.timer.Stop()
	h.held[robot] = hold
	h.mu.Unlock()
	h.cfg.Logger.Info("a viewer drives", slog.String("robot", robot), slog.String("driver", d.Name))
	h.announce()
	return nil
}

// Drive sends a velocity, m/s forward and rad/s to the left, to a robot that d has taken. The robot stops unless
// another command follows within the time-out. After Close the error matches [ErrClosed].
func (h *Arbiter) Drive(robot string, d *Driver, v, w float64) error {
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
	return hold.publisher.Drive(v, w)
}

// expire stops a robot whose driver sent no command in time, and sends the zeros that follow a zero.
func (h *Arbiter) expire(robot string, hold *hold) {
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
	if err := hold.publisher.Drive(0, 0); err != nil {
		h.cfg.Logger.Warn("stop not sent", slog.String("robot", robot), slog.Any("error", err))
	}
	if hold.zeros > 0 {
		hold.timer.Reset(stopPeriod)
	}
}

// Release stops and releases a robot if d has taken it.
func (h *Arbiter) Release(robot string, d *Driver) {
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

// Leave stops and releases all robots that d has taken.
func (h *Arbiter) Leave(d *Driver) {
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

// endLocked stops a robot that drives and removes its driver. Nothing is sent to a robot that stands still: another
// program may drive it.
func (h *Arbiter) endLocked(robot string, hold *hold) {
	hold.ended = true
	hold.timer.Stop()
	if hold.moving || hold.zeros > 0 {
		for range stopMessages {
			if err := hold.publisher.Drive(0, 0); err != nil {
				h.cfg.Logger.Warn("stop not sent", slog.String("robot", robot), slog.Any("error", err))
			}
		}
	}
	hold.publisher.Close()
	delete(h.held, robot)
}

// Held is a robot with its driver.
type Held struct {
	Robot  string
	Driver *Driver
}

// State returns the robots that have a driver, sorted by name.
func (h *Arbiter) State() []Held {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Held, 0, len(h.held))
	for robot, hold := range h.held {
		list = append(list, Held{robot, hold.driver})
	}
	slices.SortFunc(list, func(a, b Held) int { return strings.Compare(a.Robot, b.Robot) })
	return list
}

// Watch calls f after each change of the drivers until cancel is called. f must not block.
func (h *Arbiter) Watch(f func()) (cancel func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers[&f] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers, &f)
	}
}

func (h *Arbiter) announce() {
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

// Close stops all robots that drive and removes their drivers permanently. It may be called more than once.
func (h *Arbiter) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for robot, hold := range h.held {
		h.endLocked(robot, hold)
	}
}
