// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// BoardLights is the number of the first LED of the Pi-puck board; lower numbers are the robot's led0 to led7.
const BoardLights = 8

// Sources of the expectations about lights, sound and selector.
const (
	fromLights  = "firmware, gumstix.c: bytes 5 to 17 of the command; the labels on the robot"
	fromBoard   = "Pi-puck, FT903: register and colour"
	fromMelody  = "firmware, gumstix.c: byte 4 of the command"
	fromTurning = "firmware, gumstix.c: the low four bits of byte 40 of the reply are the selector"
)

// light is an LED and one of its colours.
type light struct {
	number int
	colour pipuck.Colour
}

// lights returns all LEDs with all their colours; those with even numbers on the robot are red only.
func lights(board bool) (list []light) {
	for i := range BoardLights + pipuck.LEDs {
		switch {
		case i >= BoardLights && !board:
		case i < BoardLights && i%2 == 0:
			list = append(list, light{i, pipuck.Red})
		default:
			list = append(list, light{i, pipuck.Red}, light{i, pipuck.Green}, light{i, pipuck.Blue})
		}
	}
	return list
}

// lightName returns the name of an LED's topic.
func lightName(number int) string {
	if number >= BoardLights {
		return fmt.Sprintf("pi_led%d", number-BoardLights)
	}
	return fmt.Sprintf("led%d", number)
}

// checkLights lights the LEDs one at a time and asks the person what is visible.
func checkLights(s *session) error {
	board := s.Board != nil && s.setBoard(0, pipuck.Off) == nil
	var wrong []light
	for _, l := range lights(board) {
		seen, err := s.see(func() error { return s.setLight(l) }, Request{Task: SeeLight, Light: l.number, Colour: l.colour})
		if err := s.darken(l); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		source := fromLights
		if l.number >= BoardLights {
			source = fromBoard
		}
		if !s.expect(lightName(l.number)+" "+l.colour.String()+" seen", oneIf(seen), "", 1, 1, source) {
			wrong = append(wrong, l)
		}
	}
	s.judgeLights(wrong)
	return nil
}

// setLight lights an LED.
func (s *session) setLight(l light) error {
	if l.number >= BoardLights {
		return s.setBoard(l.number-BoardLights, l.colour)
	}
	var c mcu.Command
	if l.number%2 == 0 {
		c.LEDs = mcu.LEDs(1) << (l.number / 2)
	} else {
		percent := func(part pipuck.Colour) uint8 { return uint8(100 * oneIf(l.colour&part != 0)) }
		c.RGB[l.number/2] = mcu.RGB{R: percent(pipuck.Red), G: percent(pipuck.Green), B: percent(pipuck.Blue)}
	}
	_, err := s.dev.Exchange(c)
	return err
}

// darken switches an LED off; for an LED of the robot, all of its LEDs.
func (s *session) darken(l light) error {
	if l.number >= BoardLights {
		return s.setBoard(l.number-BoardLights, pipuck.Off)
	}
	_, err := s.dev.Exchange(mcu.Command{})
	return err
}

// setBoard sets an LED of the Pi-puck board.
func (s *session) setBoard(i int, c pipuck.Colour) (err error) {
	for range 3 {
		if err = i2c.Tx(s.Board, pipuck.Addr, []byte{byte(i), byte(c)}, nil); err == nil {
			return nil
		}
		s.Sleep(tick)
	}
	return err
}

// judgeLights adds faults for LEDs that were not seen as requested.
func (s *session) judgeLights(wrong []light) {
	count := map[int]int{}
	swapped := 0 // red or blue, not green, of the robot's colour LEDs
	for _, l := range wrong {
		count[l.number]++
		if l.number < BoardLights && l.number%2 == 1 && l.colour != pipuck.Green {
			swapped++
		}
	}
	if swapped == 8 && len(wrong) == 8 {
		s.fault("led-colours-swapped", "red and blue of led1, led3, led5 and led7 were not seen, and green was")
		return
	}
	for i := range BoardLights + pipuck.LEDs {
		switch {
		case count[i] > 0 && i < BoardLights:
			s.fault(fmt.Sprintf("led-%d-dead", i), "led%d was not seen as it was set %d times", i, count[i])
		case count[i] > 0:
			s.fault(fmt.Sprintf("board-led-%d-dead", i-BoardLights), "pi_led%d was not seen as it was set %d times", i-BoardLights, count[i])
		}
	}
}

// checkSound plays a melody and asks the person whether it is audible.
func checkSound(s *session) error {
	heard, err := s.see(func() error {
		if err := s.dev.PlayMelody(1); err != nil {
			return err
		}
		return s.watch(0, 0, 200*time.Millisecond, nil, nil) // the exchanges that transmit it
	}, Request{Task: HearMelody})
	if err != nil {
		return err
	}
	if !s.expect("melody heard", oneIf(heard), "", 1, 1, fromMelody) {
		s.fault("speaker-dead", "the melody was not heard")
	}
	return nil
}

// turnedSelector is the position to which the person turns the selector: next to that of the Pi-puck's mode, to which
// it is turned back, because the firmware reads it when it starts.
const turnedSelector = mcu.SelectorPi - 1

// checkSelector reads the selector after the person has turned it.
func checkSelector(s *session) error {
	stuck := 0
	for _, position := range []int{turnedSelector, mcu.SelectorPi} {
		if err := s.ask(Request{Task: TurnSelector, Position: position}); err != nil {
			return err
		}
		_, last, err := s.sensors(500 * time.Millisecond)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("selector turned to %d", position)
		if !s.expect(name, float64(last.Selector), "", float64(position), float64(position), fromTurning) {
			stuck++
		}
	}
	if stuck > 0 {
		s.fault("selector-stuck", "the turned selector is not reported as it was turned")
	}
	return nil
}
