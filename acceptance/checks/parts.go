// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// checkBattery reads the voltage at rest and with the wheels turning.
func checkBattery(s *session) error {
	if s.Files == nil {
		return errSkipped
	}
	dev, err := battery.New(&battery.Opts{Root: s.Files})
	if err != nil {
		return err
	}
	idle, ok, err := s.voltage(dev, 0)
	if err != nil {
		return err
	}
	if !ok {
		s.result.Verdict = Absent
		return nil
	}
	loaded, _, err := s.voltage(dev, testSpeed)
	if err != nil {
		return err
	}
	if !s.expect("voltage at rest", idle, "V", 3.5, 4.3, fromBattery) {
		s.fault("battery-weak", "the battery has %.2f V: charge it", idle)
	}
	s.expect("drop with the wheels turning", idle-loaded, "V", -0.05, 0.4, fromBattery)
	return nil
}

// voltage returns the mean voltage of the robot's battery during 5 s of turning on the spot at a speed; ok is false
// without a battery monitor.
func (s *session) voltage(dev *battery.Dev, speed mcu.Speed) (v float64, ok bool, err error) {
	var mean average
	err = s.watch(speed, -speed, 5*time.Second, nil, func(*sample) {
		if fresh, err := dev.Poll(s.Now()); err == nil && fresh {
			if c := dev.Reading().Robot; c.Connected {
				mean.add(c.Voltage)
			}
		}
	})
	return mean.mean, mean.n > 0, err
}

// checkGround reads the ground sensors, if the robot has them.
func checkGround(s *session) error {
	dev, err := ground.New(s.Bus, ground.Addr, nil)
	if err != nil {
		return err
	}
	var mean [3]average
	err = s.watch(0, 0, 2*time.Second, nil, func(*sample) {
		var r ground.Reading
		if fresh, err := dev.Poll(s.Now()); err == nil && fresh && dev.Sense(&r) == nil {
			for i := range 3 {
				mean[i].add(float64(r.Reflected[i]))
			}
		}
	})
	if err != nil {
		return err
	}
	if mean[0].n == 0 {
		s.result.Verdict = Absent
		return nil
	}
	for i, name := range []string{"left", "centre", "right"} {
		if !s.expect("reflected light "+name, mean[i].mean, "counts", 200, 1023, fromGround) {
			s.fault("ground-dead", "the %s ground sensor shows %.0f counts above a light floor", name, mean[i].mean)
		}
	}
	return nil
}

// checkComputer reads temperature and available memory of the robot's computer from Linux' files.
func checkComputer(s *session) error {
	if s.Files == nil {
		return errSkipped
	}
	temperature, err := fs.ReadFile(s.Files, "sys/class/thermal/thermal_zone0/temp")
	if err != nil {
		s.result.Verdict = Absent
		return nil
	}
	milli, err := strconv.ParseFloat(strings.TrimSpace(string(temperature)), 64)
	if err != nil {
		return fmt.Errorf("temperature: %w", err)
	}
	s.expect("temperature", milli/1000, "°C", 0, 80, fromSoC)
	memory, err := fs.ReadFile(s.Files, "proc/meminfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(memory)) {
		if v, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v), "kB")), 64)
			if err != nil {
				return fmt.Errorf("MemAvailable: %w", err)
			}
			s.expect("available memory", kib/1024, "MiB", 24, math.MaxInt32, fromSoC)
		}
	}
	return nil
}

// sheetDistance is the distance of the sheet from the time-of-flight sensor, m.
const sheetDistance = 0.1

// checkDistance measures a sheet ahead.
func checkDistance(s *session) error {
	if err := s.ask(Request{Task: CardAhead, Distance: sheetDistance}); err != nil {
		return err
	}
	dev, err := vl53l0x.New(s.Bus, 0, nil)
	if err != nil {
		return err
	}
	var mean average
	err = s.watch(0, 0, 4*time.Second, nil, func(*sample) {
		var r vl53l0x.Reading
		if fresh, err := dev.Poll(s.Now()); err == nil && fresh && dev.Sense(&r) == nil && !math.IsInf(r.Distance, 0) {
			mean.add(r.Distance)
		}
	})
	if err != nil {
		return err
	}
	if mean.n == 0 {
		s.fault("tof-missing", "the time-of-flight sensor measured no distance in 4 s")
		return s.ask(Request{Task: OnFloor})
	}
	s.expect("distance", mean.mean, "m", 0.085, 0.135, fromToF)
	switch {
	case mean.mean > 0.135:
		s.fault("tof-offset", "a sheet at %.3f m is measured as %.3f m", sheetDistance, mean.mean)
	case mean.mean < 0.085:
		s.fault("tof-short", "a sheet at %.3f m is measured as %.3f m", sheetDistance, mean.mean)
	}
	s.expect("noise of the distance", math.Sqrt(mean.variance()), "m", 0, 0.01, fromToF)
	return s.ask(Request{Task: OnFloor})
}
