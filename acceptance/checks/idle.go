// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

const (
	// maxIdle is the largest reading of an uncalibrated proximity sensor without objects near, counts.
	maxIdle = 400
	// dark is the smallest ambient reading in darkness, counts.
	dark = 4090
)

// checkIdle reads the main processor's sensors without objects near the robot.
func checkIdle(s *session) error {
	d := 3 * time.Second
	mean, last, err := s.sensors(d)
	if err != nil {
		return err
	}
	for i := range 8 {
		if !s.expect(fmt.Sprintf("ps%d idle", i), mean[i].mean, "counts", 0, maxIdle, "firmware, proximity.c: the offset is 0 until a calibration, tens of counts remain") {
			s.fault(fmt.Sprintf("infrared-%d-saturated", i), "proximity sensor %d shows %.0f counts with nothing around", i, mean[i].mean)
		}
		if !s.expect(fmt.Sprintf("ls%d", i), mean[8+i].mean, "counts", 1, dark, "firmware, proximity.c: 12 bits, bright is low") {
			s.fault(fmt.Sprintf("light-%d-dead", i), "light sensor %d shows %.0f counts in the light", i, mean[8+i].mean)
		}
	}
	for i := range 4 {
		if !s.expect(fmt.Sprintf("microphone %d", i), mean[16+i].mean, "counts", 1, 30000, "firmware, microphone.c: peak to peak of 10 ms, never silent") {
			s.fault(fmt.Sprintf("microphone-%d-dead", i), "microphone %d shows %.0f counts", i, mean[16+i].mean)
		}
	}
	if !s.expect("selector", float64(last.Selector), "", mcu.SelectorPi, mcu.SelectorPi, "firmware, main.c: position 10 starts the Pi-puck's mode") {
		s.fault("selector-wrong", "the selector is at %d", last.Selector)
	}
	if !s.expect("button", oneIf(last.Button), "", 0, 0, fromFirmware) {
		s.fault("button-stuck", "the user button is pressed without a press")
	}
	return nil
}

// oneIf returns 1 for true, else 0.
func oneIf(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// cardDistance is the distance of the card from a proximity sensor, m.
const cardDistance = 0.015

// checkInfrared measures a card in front of each proximity sensor in turn.
func checkInfrared(s *session) error {
	idle, _, err := s.sensors(time.Second)
	if err != nil {
		return err
	}
	var found [8]int
	for i := range 8 {
		if err := s.ask(Request{Task: CardAt, Sensor: i, Distance: cardDistance}); err != nil {
			return err
		}
		near, _, err := s.sensors(time.Second)
		if err != nil {
			return err
		}
		found[i] = strongest(&idle, &near)
		rise := near[i].mean - idle[i].mean
		s.expect(fmt.Sprintf("ps%d with the card", i), rise, "counts", 100, 4095, fromInfrared)
		s.expect(fmt.Sprintf("sensor that sees the card before ps%d", i), float64(found[i]), "", float64(i), float64(i), fromRobot)
	}
	s.judgeOrder(found)
	return s.ask(Request{Task: OnFloor})
}

// strongest returns the sensor whose value has risen most, −1 if none has risen by more than 60 counts.
func strongest(idle, near *[28]average) int {
	best, most := -1, 60.0
	for i := range 8 {
		if rise := near[i].mean - idle[i].mean; rise > most {
			best, most = i, rise
		}
	}
	return best
}

// judgeOrder adds faults for sensors that did not detect the card in front of them.
func (s *session) judgeOrder(found [8]int) {
	reversed := 0
	for i, f := range found {
		if f == 7-i {
			reversed++
		}
	}
	if reversed >= 6 {
		s.fault("infrared-order-reversed", "the proximity sensors are numbered anticlockwise: %v", found)
		return
	}
	for i, f := range found {
		if f != i {
			s.fault(fmt.Sprintf("infrared-%d-dead", i), "with the card before ps%d, the sensor that saw it was %d", i, f)
		}
	}
}

// checkButton reads the button while it is pressed and after it is released.
func checkButton(s *session) error {
	for _, pressed := range []bool{true, false} {
		r := Request{Task: ReleaseButton}
		if pressed {
			r.Task = PressButton
		}
		if err := s.ask(r); err != nil {
			return err
		}
		_, last, err := s.sensors(500 * time.Millisecond)
		if err != nil {
			return err
		}
		name := "button released"
		if pressed {
			name = "button pressed"
		}
		if !s.expect(name, oneIf(last.Button), "", oneIf(pressed), oneIf(pressed), fromFirmware) && pressed {
			s.fault("button-dead", "the pressed button is not reported")
		}
	}
	return nil
}
