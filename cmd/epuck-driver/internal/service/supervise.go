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

// startLimit is how long a start may hang before systemd ends it (TimeoutStartSec of the unit). A service that waits
// for its robot on request does not hang: it extends this limit before it is over, repeatedly.
const startLimit = 30 * time.Second

// Supervisor reports the state of the service to systemd (sd_notify(3)): ready once the robot has answered, alive as
// long as the control loop makes cycles, and what it waits for. Without systemd, or in a unit that is not Type=notify,
// it does nothing.
type Supervisor struct {
	notify   func(state string) error // does not wait
	watchdog time.Duration            // within which systemd wants a sign of life; 0: it doesn't
	log      *slog.Logger
	settled  func() // called when the robot has answered for a while; may be nil

	// Continues, if set, reports at the end of Run whether the service continues with another control loop, of which
	// another Supervisor informs systemd: then Run does not report that the service stops.
	Continues func() bool

	cycles   atomic.Uint64
	answered atomic.Bool
	first    chan struct{} // holds one: the robot has answered for the first time
}

// NewSupervisor reads what systemd has put into the environment.
func NewSupervisor(log *slog.Logger) *Supervisor {
	period, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("no watchdog: its environment is wrong", "error", err)
	}
	return &Supervisor{
		notify:   NotifySystemd,
		watchdog: period, log: log, first: make(chan struct{}, 1),
	}
}

// Cycle notes a control cycle whose messages are published. It neither blocks nor allocates.
func (s *Supervisor) Cycle(answered bool) {
	s.cycles.Add(1)
	if answered && !s.answered.Swap(true) {
		s.first <- struct{}{} // the channel has capacity: this is the only sender
	}
}

// waits shows text and extends systemd's start limit by the pause plus the whole limit.
// It needs systemd 236 or later; the oldest image of this robot has 241.
func (s *Supervisor) waits(text string, pause time.Duration) {
	s.send(extension(pause) + "\nSTATUS=" + text)
}

// extension is the message that puts the end of the start's time off.
func extension(pause time.Duration) string {
	return fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", (pause + startLimit).Microseconds())
}

// Run relays until ctx ends. Until the robot has answered, a control loop that makes cycles keeps the start
// alive. A loop that has stuck makes no cycles, so nothing is sent and systemd restarts the service after WatchdogSec.
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
