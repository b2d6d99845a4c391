// SPDX-License-Identifier: Apache-2.0

package misbuilt

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Likeness changes the measurements of a simulated robot to those of another one. With the zero value all sensors
// measure nothing; [Unchanged] changes nothing.
type Likeness struct {
	// Infrared and Microphones are the 12-bit and 16-bit words of the main processor, counts.
	Infrared    [8]Line
	Microphones [4]Line
	// Accel (m/s²) and Gyro (rad/s) are added to the inertial sensor, in the robot's axes (REP 103); AccelNoise and
	// GyroNoise are the standard deviations of additional noise on each axis.
	Accel, Gyro           [3]float64
	AccelNoise, GyroNoise [3]float64
	// Range is added to the time-of-flight sensor's distance, RangeNoise is the standard deviation of additional
	// noise, m.
	Range, RangeNoise float64
	// Ground are the words of the ground sensors, left, centre and right, counts.
	Ground [3]Line
	// Selector is the reported position, 0 to 15; 10 reports the robot's own.
	Selector uint8
	// NotAcknowledged, TimedOut and Wrong are shares of the transfers with the main processor, 0 to 0.5.
	NotAcknowledged, TimedOut, Wrong float64
	// StartDelay is the delay until a wheel at rest starts to turn. It stops immediately.
	StartDelay time.Duration
}

// selectorPi is the selector's position for the Pi-puck.
const selectorPi = 10

// Line is the linear function Gain·v + Offset.
type Line struct{ Gain, Offset float64 }

// Unchanged returns the likeness that changes nothing, for a selector position.
func Unchanged(selector uint8) *Likeness {
	l := &Likeness{Selector: selector}
	for _, lines := range [][]Line{l.Infrared[:], l.Microphones[:], l.Ground[:]} {
		for i := range lines {
			lines[i] = Line{Gain: 1}
		}
	}
	return l
}

// Fault returns the likeness as a fault.
func (l *Likeness) Fault() Fault {
	return Fault{Name: "likeness", What: "the robot measures what another one did", make: func() effect {
		own := *l
		random := rand.New(rand.NewPCG(1, 2)) // a fixed seed: runs are reproducible
		begin := delayedStart(own.StartDelay)
		lost, late, wrong := portion(own.NotAcknowledged), portion(own.TimedOut), portion(own.Wrong)
		return effect{
			before: func(t *transfer) error {
				switch {
				case t.addr == addrMCU && lost():
					return errNoAnswer
				case t.addr == addrMCU && late():
					return syscall.ETIMEDOUT
				}
				begin(t)
				return nil
			},
			after: func(t *transfer) { own.change(t, random) },
			broken: func(t *transfer) {
				if t.sensors() && wrong() {
					t.r[t.count%46] ^= 4
				}
			},
		}
	}}
}

// portion returns a function that returns true for a share of its calls, evenly distributed.
func portion(share float64) func() bool {
	sum := 0.0
	return func() bool {
		if sum += share; sum < 1 {
			return false
		}
		sum--
		return true
	}
}

// delayedStart returns the effect of wheels that start to turn later than commanded.
func delayedStart(delay time.Duration) func(*transfer) {
	var begun time.Duration
	turning := false
	return func(t *transfer) {
		if delay <= 0 || !t.command() {
			return
		}
		left, right := t.speeds()
		if left == 0 && right == 0 {
			turning = false
			return
		}
		if !turning {
			begun, turning = t.at, true
		}
		if t.at-begun < delay {
			t.setSpeeds(0, 0)
		}
	}
}

// change changes the read bytes.
func (l *Likeness) change(t *transfer, random *rand.Rand) {
	switch {
	case t.sensors():
		for i := range l.Infrared {
			l.Infrared[i].word(binary.LittleEndian, t.r[2*i:], 4095)
		}
		for i := range l.Microphones {
			l.Microphones[i].word(binary.LittleEndian, t.r[32+2*i:], math.MaxUint16)
		}
		if l.Selector != selectorPi { // otherwise the robot's own, which may be turned
			t.r[40] = t.r[40]&0xF0 | l.Selector&0x0F
		}
	case t.inertial():
		l.inertia(t, random)
	case t.addr == addrToF && len(t.w) == 1 && t.w[0] == 0x14 && len(t.r) == 12:
		if mm := binary.BigEndian.Uint16(t.r[10:]); mm < 8190 { // larger values mean that nothing was detected
			d := float64(mm) + 1000*(l.Range+l.RangeNoise*random.NormFloat64())
			binary.BigEndian.PutUint16(t.r[10:], uint16(max(0, min(8189, math.Round(d)))))
		}
	case t.addr == addrGround && len(t.w) == 1 && t.w[0] == 0 && len(t.r) >= 6:
		for i := range l.Ground {
			l.Ground[i].word(binary.BigEndian, t.r[2*i:], 1023)
		}
	}
}

// word changes the first word of b.
func (l Line) word(order binary.ByteOrder, b []byte, most float64) {
	v := l.Gain*float64(order.Uint16(b)) + l.Offset
	order.PutUint16(b, uint16(max(0, min(most, math.Round(v)))))
}

// inertia changes the measurements of the inertial sensor, for the ranges that the driver sets.
func (l *Likeness) inertia(t *transfer, random *rand.Rand) {
	rotation := robot.IMURotation()
	for i := range 3 { // of the chip
		var accel, gyro float64
		for k := range 3 { // of the robot
			accel += rotation[k][i] * (l.Accel[k] + l.AccelNoise[k]*random.NormFloat64())
			gyro += rotation[k][i] * (l.Gyro[k] + l.GyroNoise[k]*random.NormFloat64())
		}
		t.setAxis(i, int(t.axis(i))+int(math.Round(accel*32768/robot.AccelRange)))
		t.setAxis(i+4, int(t.axis(i+4))+int(math.Round(gyro*32768/robot.GyroRange)))
	}
}

// Counters returns the fault of step counters that count a share, 0.5 to 2, of the steps of the left and of the right
// wheel.
func Counters(left, right float64) Fault {
	return Fault{Name: "counters-scaled", What: "not each step is counted once", make: func() effect {
		var last [2]int16
		var sum [2]float64
		started := false
		return effect{after: func(t *transfer) {
			if !t.sensors() {
				return
			}
			l, r := t.steps()
			if !started {
				last, sum, started = [2]int16{l, r}, [2]float64{float64(l), float64(r)}, true
			}
			sum[0] += left * float64(l-last[0]) // also correct for counters that have wrapped
			sum[1] += right * float64(r-last[1])
			last = [2]int16{l, r}
			t.setSteps(int16(int64(math.Round(sum[0]))), int16(int64(math.Round(sum[1]))))
		}}
	}}
}
