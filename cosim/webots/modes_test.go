// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// journal is a log of which tests count lines.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

// count is how often a text is in the log.
func (j *journal) count(text string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), text)
}

// logged lets a server write to the log.
func (j *journal) logged(c *webots.Config) { c.Logger = slog.New(slog.NewTextHandler(j, nil)) }

// doubles is a command of a motor with its numbers.
func (p *peer) doubles(device string, code uint16, v ...float64) wire.Part {
	b := binary.LittleEndian.AppendUint16(nil, code)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return p.part(device, b...)
}

// A motor's modes: without end it turns as its velocity says, with an angle it goes there and no faster, and what has
// no torque does not move.
func TestMotorModes(t *testing.T) {
	const most = 6.9813170 // 1100 steps/s, made whole ticks of the processor's timer
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		position, velocity, torque, p float64
		speed, angle                  float64 // after 0.2 s, after 4 s
	}{
		"on and on":                      {inf, 3, 10, 10, 3, 12},
		"backwards":                      {inf, -3, 10, 10, -3, -12},
		"below has no end either":        {-inf, 3, 10, 10, 3, 12},
		"faster than it can":             {inf, 100, 10, 10, most, 4 * most},
		"faster than it can, backwards":  {inf, -1e300, 10, 10, -most, -4 * most},
		"up to an angle":                 {4, 2, 10, 10, 2, 4},
		"the velocity has no sign there": {4, -2, 10, 10, 2, 4},
		"down to an angle":               {-4, 2, 10, 10, -2, -4},
		"nor downwards":                  {-4, -2, 10, 10, -2, -4},
		"an angle without velocity":      {4, 0, 10, 10, 0, 0},
		"an angle without gain":          {1, 2, 10, 0, 0.0628, 0.2513}, // a tenth of a step each 10 ms
		"little gain":                    {4, 6, 10, 0.5, 1.82, 4 * (1 - math.Exp(-2))},
		"no torque":                      {inf, 3, 0, 10, 0, 0},
		"less than none":                 {inf, 3, -1, 10, 0, 0},
		"a torque that is no number":     {inf, 3, math.NaN(), 10, 0, 0},
	} {
		g := serve(t, arena, nil)
		p := g.control("b")
		const motor = "left wheel motor"
		p.do(200, p.doubles(motor, wire.MotorPID, c.p, 0, 0), p.doubles(motor, wire.MotorPosition, c.position),
			p.doubles(motor, wire.MotorVelocity, c.velocity), p.doubles(motor, wire.MotorAvailableForce, c.torque), p.period("left wheel sensor", 4000))
		if left, right, _, _ := g.truth("b"); math.Abs(left-c.speed) > 0.05 || right != 0 {
			t.Errorf("%s: %g rad/s, want %g; the other wheel %g", name, left, c.speed, right)
		}
		p.do(3800)
		if got := p.value("left wheel sensor"); math.Abs(got-c.angle) > 0.01+0.01*math.Abs(c.angle) {
			t.Errorf("%s: %g rad, want %g", name, got, c.angle)
		}
	}
}

// What a motor can't do is logged once, by its name, and what it can is not.
func TestUnsupportedMotorFeaturesAreLogged(t *testing.T) {
	var log journal
	p := serve(t, arena, log.logged).control("b")
	const motor = "right wheel motor"
	p.do(0, p.doubles(motor, wire.MotorAcceleration, -1), p.doubles(motor, wire.MotorPID, 10, 0, 0), p.doubles(motor, wire.MotorVelocity, 1))
	if n := log.count("level=WARN"); n != 0 {
		t.Errorf("%d warnings of what there is: %s", n, &log.text)
	}
	for range 2 {
		p.do(0, p.doubles(motor, wire.MotorAcceleration, 3), p.doubles(motor, wire.MotorPID, 10, 1, 0), p.doubles(motor, wire.MotorForce, 1),
			p.part(motor, wire.MotorFeedback, 0, 32, 0), p.part("led9", wire.LEDSet, 1, 0, 0, 0), p.part("", wire.RobotKeyboardPeriod, 0, 0))
	}
	for _, want := range []string{
		`wants="a motor's acceleration"`, `wants="I and D of a motor's control"`, `wants="a motor's torque"`,
		`wants="a motor's torque feedback"`, `wants="the LED of the body or of the front"`,
	} {
		if n := log.count(want); n != 1 {
			t.Errorf("%s is there %d times", want, n)
		}
	}
	if n := log.count("level=WARN"); n != 5 || log.count("robot=b") < 5 {
		t.Errorf("%d warnings: %s", n, &log.text)
	}
}

// What can't be is left out, its controller is answered, and the log has the device, the field and the number.
func TestRefusalsNameTheDevice(t *testing.T) {
	for want, part := range map[string]func(p *peer) wire.Part{
		`device \"left wheel motor\": webots: not a number: NaN`: func(p *peer) wire.Part {
			return p.doubles("left wheel motor", wire.MotorPosition, math.NaN())
		},
		`device \"right wheel motor\": webots: not a number: +Inf`: func(p *peer) wire.Part {
			return p.doubles("right wheel motor", wire.MotorVelocity, math.Inf(1))
		},
		`device \"right wheel motor\": webots: not a number: -Inf`: func(p *peer) wire.Part {
			return p.doubles("right wheel motor", wire.MotorPID, math.Inf(-1), 0, 0)
		},
		`device \"gyro\": webots: unknown command 2 of a device of kind 44`:  func(p *peer) wire.Part { return p.part("gyro", 2, 0, 0) },
		`device \"led3\": webots: ends too early: 2 of 4 bytes of a command`: func(p *peer) wire.Part { return p.part("led3", 1, 0, 0) },
		`device \"a\": webots: bad length: a text of 1 bytes without its end`: func(p *peer) wire.Part {
			return p.part("", wire.RobotSetData, 1, 0, 'x')
		},
		`webots: no such device: 41 of 41`: func(*peer) wire.Part { return wire.Part{Tag: 41, Body: []byte{1, 0, 0}} },
	} {
		var log journal
		p := serve(t, arena, log.logged).control("a")
		p.do(0, part(p))
		p.do(32)
		if log.count(want) != 1 || log.count("robot=a") == 0 {
			t.Errorf("want %s, the log says %s", want, &log.text)
		}
	}
}
