// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// checkFirmware identifies the main processor and checks that the chips respond.
func checkFirmware(s *session) error {
	d := s.dev.Probe()
	if d.Health == mcu.HealthBlinded { // also the case in the first 10 ms after the robot's start
		s.Sleep(tick)
		s.Sleep(tick)
		d = s.dev.Probe()
	}
	answers := 0.0
	if d.Measures() {
		answers = 1
	}
	if !s.expect("main processor measures", answers, "", 1, 1, fromFirmware) {
		s.fault("firmware-standard", "%s", d.Text)
	}
	for _, c := range []struct {
		name, fault string
		addrs       []uint16
	}{
		{"inertial sensor", "imu-missing", []uint16{imu.Addr, imu.AddrAlt}},
		{"time-of-flight sensor", "tof-missing", []uint16{vl53l0x.Addr}},
		{"camera's sensor", "camera-missing", []uint16{camsensor.AddrOV, camsensor.AddrPO}},
	} {
		at := 0.0
		for _, addr := range c.addrs {
			if s.responds(addr) {
				at = float64(addr)
				break
			}
		}
		if !s.expect("address of the "+c.name, at, "", 1, 127, "hardware.md, section 0: addresses on the robot's bus") {
			s.fault(c.fault, "the %s does not answer at %#02x", c.name, c.addrs)
		}
	}
	return nil
}

// responds reports whether a chip acknowledges its address, in one of three attempts.
func (s *session) responds(addr uint16) bool {
	for range 3 {
		if i2c.Tx(s.Bus, addr, nil, make([]byte, 1)) == nil {
			return true
		}
	}
	return false
}

// checkPackets exchanges packets for a minute (10 s if quick) and counts failures. Each failure is a transfer that
// mcu.Dev repeated.
func checkPackets(s *session) error {
	d := time.Minute
	if s.opts.Quick {
		d = 10 * time.Second
	}
	meter := i2c.NewMeter(s.Bus, s.Now)
	dev, err := mcu.New(meter, &mcu.Opts{Now: s.Now, Tries: 1})
	if err != nil {
		return err
	}
	own := s.dev
	s.dev = dev
	defer func() { s.dev = own }()
	var between average
	var last time.Duration
	answered := 0.0
	err = s.watch(0, 0, d, nil, func(m *sample) {
		if m.fresh {
			answered++
			if last != 0 {
				between.add((m.at - last).Seconds())
			}
			last = m.at
		}
	})
	if err != nil {
		return err
	}
	s.judgePackets(dev.Counters(), meter.Stats().Longest, answered, &between)
	return nil
}

func (s *session) judgePackets(st mcu.Stats, longest time.Duration, answered float64, between *average) {
	all := max(float64(st.Transactions), 1)
	noAnswer := float64(st.BusErrors[i2c.KindNAK]) / all
	late := float64(st.BusErrors[i2c.KindTimeout]) / all
	wrong := float64(st.Checksum+st.Implausible) / all
	if answered == 0 {
		s.fault("firmware-standard", "no packet was answered in %.0f transfers", all)
	}
	s.expect("period", between.mean, "s", 0.049, 0.053, fromBus)
	s.expect("longest transfer", longest.Seconds(), "s", 0.001, 0.030, "69 bytes at 100 kHz are 6.2 ms; the bus gives up after 20 ms")
	if !s.expect("share not acknowledged", noAnswer, "", 0, 0.01, fromBus) {
		s.fault("bus-missing-acknowledge", "%.1f %% of the transfers were not acknowledged", 100*noAnswer)
	}
	if !s.expect("share timed out", late, "", 0, 0.01, fromBus) {
		s.fault("bus-slow", "%.1f %% of the transfers timed out", 100*late)
	}
	if !s.expect("share with a wrong checksum", wrong, "", 0, 0.01, fromBus) {
		s.fault("bus-noisy", "%.1f %% of the replies were wrong", 100*wrong)
	}
}
