// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// MonitorConfig configures a [Monitor]. The zero value of each field means its default.
type MonitorConfig struct {
	// Thresholds are the voltages of the levels.
	Thresholds Thresholds
	// Confirm is how many consecutive readings must agree on a change of level: motors make the voltage dip. It
	// defaults to 3.
	Confirm int
	// PowerOff shuts the machine down. It is called from [Monitor.Update], must not block, and is called again if it
	// failed. It defaults to nil: no shutdown.
	PowerOff func() error
	// Grace is how long the battery must be critical before PowerOff is called, and the time between two attempts. It
	// defaults to 30 s.
	Grace time.Duration
}

// Change is the result of [Monitor.Update].
type Change struct {
	// From and To are the levels before and after; the same if nothing has changed.
	From, To Level
	// Critical is true exactly once each time the battery has become critical: stop the wheels and report it.
	Critical bool
	// PowerOff is true when MonitorConfig.PowerOff was called; Err is the error it returned.
	PowerOff bool
	Err      error
}

// Monitor watches the robot's battery. It belongs to one goroutine.
type Monitor struct {
	cfg   MonitorConfig
	level Level
	run   int   // readings in a row on the same side of the level
	worse bool  // which side
	mild  Level // the smallest change that all these readings agree on
	off   time.Time
	done  bool
}

// NewMonitor returns a monitor. The error matches device.ErrOption.
func NewMonitor(cfg MonitorConfig) (*Monitor, error) {
	var err error
	if cfg.Thresholds, err = cfg.Thresholds.withDefaults(); err != nil {
		return nil, err
	}
	if cfg.Confirm < 0 || cfg.Grace < 0 {
		return nil, fmt.Errorf("battery: %w: Confirm is %d, Grace %v", device.ErrOption, cfg.Confirm, cfg.Grace)
	}
	if cfg.Confirm == 0 {
		cfg.Confirm = 3
	}
	if cfg.Grace == 0 {
		cfg.Grace = 30 * time.Second
	}
	return &Monitor{cfg: cfg}, nil
}

// Level is the level after the last [Monitor.Update].
func (m *Monitor) Level() Level { return m.level }

// Update processes a new reading.
func (m *Monitor) Update(now time.Time, r Reading) Change {
	c := Change{From: m.level}
	m.consider(&r)
	c.To = m.level
	if m.level != LevelCritical {
		m.done = false
		return c
	}
	if c.From != LevelCritical {
		c.Critical = true
		m.off = now.Add(m.cfg.Grace)
	}
	if m.cfg.PowerOff != nil && !m.done && !now.Before(m.off) {
		c.PowerOff, c.Err = true, m.cfg.PowerOff()
		m.done, m.off = c.Err == nil, now.Add(m.cfg.Grace)
	}
	return c
}

// consider changes the level.
func (m *Monitor) consider(r *Reading) {
	switch {
	case r.Charging == Recharging:
		m.set(LevelOK)
		return
	case !r.Robot.Connected:
		// A critical battery whose voltage falls further looks like an open input: that is no reason to continue
		// driving.
		if m.level != LevelCritical {
			m.set(levelUnknown)
		}
		return
	}
	t := &m.cfg.Thresholds
	down, up := t.level(r.Robot.Voltage, 0), t.level(r.Robot.Voltage, t.Hysteresis)
	switch {
	case m.level == levelUnknown: // nothing to compare with
		m.vote(down, down > LevelOK)
		if down == LevelOK {
			m.set(LevelOK)
		}
	case down > m.level:
		m.vote(down, true)
	case up < m.level:
		m.vote(up, false)
	default:
		m.run = 0
	}
}

// vote counts a reading for another level.
func (m *Monitor) vote(to Level, worse bool) {
	switch {
	case m.run == 0 || worse != m.worse:
		m.run, m.worse, m.mild = 0, worse, to
	case worse:
		m.mild = min(m.mild, to)
	default:
		m.mild = max(m.mild, to)
	}
	if m.run++; m.run >= m.cfg.Confirm {
		m.set(m.mild)
	}
}

func (m *Monitor) set(l Level) { m.level, m.run = l, 0 }
