// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// startLimit is the time-out of a start in systemd (TimeoutStartSec of the unit). A service that waits for its robot
// on request extends it repeatedly before it expires.
const startLimit = 30 * time.Second

// Supervisor reports the state of the service to systemd (sd_notify(3)): ready once the robot has answered, alive
// while the control loop makes cycles, and what it waits for. Without systemd, or in a unit that is not Type=notify,
// it does nothing.
type Supervisor struct {
	notify   func(state string) error // does not block
	watchdog time.Duration            // systemd's watchdog period; 0: none
	log      *slog.Logger
	settled  func() // called when the robot has answered for the time settled; may be nil

	// Continues, if set, reports at the end of Run whether the service continues with another control loop, of which
	// another Supervisor informs systemd: then Run does not report that the service stops.
	Continues func() bool

	cycles   atomic.Uint64
	answered atomic.Bool
	first    chan struct{} // capacity 1: the robot has answered for the first time
}

// NewSupervisor returns a supervisor configured by systemd's environment variables.
func NewSupervisor(log *slog.Logger) *Supervisor {
	period, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("no watchdog: its environment variables are invalid", "error", err)
	}
	return &Supervisor{
		notify:   NotifySystemd,
		watchdog: period, log: log, first: make(chan struct{}, 1),
	}
}

// Cycle counts a control cycle whose messages are published. It neither blocks nor allocates.
func (s *Supervisor) Cycle(answered bool) {
	s.cycles.Add(1)
	if answered && !s.answered.Swap(true) {
		s.first <- struct{}{} // it doesn't block: this is the only send
	}
}

// waits sets systemd's status text and extends its start time-out to the pause plus startLimit.
// It needs systemd 236 or later; the oldest image of this robot has 241.
func (s *Supervisor) waits(text string, pause time.Duration) {
	s.send(extension(pause) + "\nSTATUS=" + text)
}

// extension returns the message that extends the time-out of the start.
func extension(pause time.Duration) string {
	return fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", (pause + startLimit).Microseconds())
}

// Run reports to systemd until ctx ends. Until the robot has answered, cycles of the control loop extend the start. A
// loop that hangs makes no cycles, so nothing is sent and systemd restarts the service after WatchdogSec.
func (s *Supervisor) Run(ctx context.Context, status func() string) {
	defer func() {
		if s.Continues == nil || !s.Continues() {
			s.send("STOPPING=1")
		}
	}()
	period := time.Second
	if s.watchdog > 0 {
		period = min(period, s.watchdog/4)
	}
	tick := time.NewTicker(period)
	defer tick.Stop()
	var seen uint64
	var said string
	var good <-chan time.Time
	started, ready := false, false // the robot has answered; systemd knows
	for {
		select {
		case <-ctx.Done():
			return
		case <-good:
			if s.settled != nil {
				s.settled()
			}
			continue
		case <-s.first:
			good, started = time.After(settled), true
		case <-tick.C:
		}
		if started && !ready {
			if now := status(); s.send(daemon.SdNotifyReady + "\nSTATUS=" + now) {
				ready, said = true, now
			}
		}
		if n := s.cycles.Load(); n != seen {
			seen = n
			if !ready {
				s.send(extension(0))
			}
			s.send(daemon.SdNotifyWatchdog)
		}
		if now := status(); now != said && s.send("STATUS="+now) {
			said = now
		}
	}
}

// send reports a state to systemd and returns whether it was accepted. Important states are sent again later.
func (s *Supervisor) send(state string) bool {
	err := s.notify(state)
	if err != nil {
		s.log.Debug("the state did not reach systemd", "state", state, "error", err)
	}
	return err == nil
}
