// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"errors"
	"sync"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// staleAfter is the age at which sensors are no longer valid.
	staleAfter = 300 * time.Millisecond
	// shots bounds the queued one-shot commands. Each is followed by the current command, and of five commands that
	// wait in its radio module the robot executes only the latest (see package cosim/wifi).
	shots = 3
	// calibrationLeast and calibrationMost bound the time for which a calibrating robot does not answer.
	calibrationLeast = 900 * time.Millisecond
	calibrationMost  = 4 * time.Second
	// firstAnswer is how long a robot that has accepted a connection may take to send the first sensors; after that
	// it counts as occupied. It is less than the time-out of driver.Probe, so that a failing start reports the
	// reason.
	firstAnswer = time.Second
)

// state is shared by the goroutines of a robot. The lock is held for copying only.
type state struct {
	mu    sync.Mutex
	up    bool
	lost  bool      // the loss was reported
	why   error     // why the link is down
	since time.Time // when the robot accepted the connection, while there is one
	want  packet.Command
	once  []packet.Command // to be executed once each
	dirty bool             // want or once is not sent yet
	held  bool             // nothing is sent until the robot has answered: it calibrates, or is about to

	latest packet.Sensors
	taken  time.Time     // when it was received
	count  uint64        // of received sensors
	news   chan struct{} // closed when there are newer sensors, or the link is lost

	calibrating bool
	calibration time.Time // when it began
	ground      bool      // the ground sensors have measured something
	field       bool      // the magnetometer has, too
	shutter     chan []byte
}

// begin starts a new connection. Its first command stops the robot, whatever was commanded before.
func (r *Robot) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.want.Left, r.want.Right, r.want.Request = 0, 0, packet.RequestSensors
	r.once, r.dirty, r.held, r.calibrating = r.once[:0], true, false, false
	r.taken, r.since = time.Time{}, r.cfg.Now()
}

// takeOut returns what is to be written now. A one-shot command is immediately followed by one without it: the robot
// repeats its last command. Its speeds and LEDs are the current ones instead of those at the time of the request: a
// melody must not restart a motion that has ended since.
//
// Exchanges do not wait for answers during a calibration, so after it was requested at most one command is written for
// each answer: if more arrived before the robot has read the request, it would drop the request (see shots).
func (r *Robot) takeOut() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.dirty || r.held {
		return nil
	}
	r.dirty, r.held = false, r.calibrating
	out := r.out[:0]
	var p [packet.CommandSize]byte
	for _, c := range r.once {
		c.Left, c.Right, c.LEDs, c.RGB = r.want.Left, r.want.Right, r.want.LEDs, r.want.RGB
		c.Put(&p)
		out = append(out, p[:]...)
	}
	r.once = r.once[:0]
	r.want.Put(&p)
	r.out = append(out, p[:]...)
	return r.out
}

// release permits sending the last command of a connection.
func (r *Robot) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = false
}

// shoot queues a one-shot command: the current one, modified by change. The caller holds the lock.
func (r *Robot) shoot(change func(c *packet.Command)) {
	if len(r.once) == shots {
		return // the robot has not accepted anything for long
	}
	c := r.want
	change(&c)
	r.once = append(r.once, c)
	r.dirty = true
}

// nudge wakes the writing goroutine.
func (r *Robot) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// store stores new sensors.
func (r *Robot) store(s *packet.Sensors) {
	now := r.cfg.Now()
	r.mu.Lock()
	first := !r.up
	was := r.lost
	r.up, r.lost, r.why = true, false, nil
	r.latest, r.taken = *s, now
	r.count++
	waiting := r.held && r.dirty
	r.held = false
	if r.calibrating && now.Sub(r.calibration) >= calibrationLeast {
		r.calibrating = false
	}
	r.ground = r.ground || s.Ground != [3]uint16{} && plausibleGround(s)
	r.field = r.field || s.Field != [3]float32{} && finite(s.Field)
	close(r.news)
	r.news = make(chan struct{})
	r.mu.Unlock()
	if waiting {
		r.nudge()
	}
	if first {
		r.cfg.Logger.Info("connected to the robot over Wi-Fi", "robot", r.cfg.Address, "again", was)
	}
}

// lose records the end of a connection, or a failed attempt. It reports whether the connection had worked.
func (r *Robot) lose(err error) (worked bool) {
	r.mu.Lock()
	worked = r.up
	report := worked || !r.lost || errors.Is(err, errOccupied) != errors.Is(r.why, errOccupied)
	r.up, r.lost, r.why, r.calibrating, r.since = false, true, err, false, time.Time{}
	r.want.Left, r.want.Right = 0, 0
	close(r.news)
	r.news = make(chan struct{})
	r.mu.Unlock()
	if report {
		r.cfg.Logger.Warn("the robot can't be reached over Wi-Fi; it keeps its last speeds until it is", "robot", r.cfg.Address, "error", err)
	}
	return worked
}

// trouble returns why there are no current sensors, nil if there are. The caller holds the lock.
func (r *Robot) trouble(now time.Time) error {
	switch {
	case !r.up && !r.since.IsZero() && now.Sub(r.since) >= firstAnswer:
		return &linkError{addr: r.cfg.Address, why: "not connected", err: errOccupied, no: system.EREMOTEIO}
	case !r.up:
		return &linkError{addr: r.cfg.Address, why: "not connected", err: r.why, no: system.EREMOTEIO}
	case r.calibrating && now.Sub(r.calibration) < calibrationMost:
		return nil
	case now.Sub(r.taken) > staleAfter:
		return &linkError{addr: r.cfg.Address, why: "no sensors for " + now.Sub(r.taken).Round(time.Millisecond).String(), no: syscall.ETIMEDOUT}
	}
	return nil
}
