// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// stopAnswers is the number of answers for which a stop command after a motion waits: the first may be in transit,
// the second measured before the command was executed, the third is after it.
const stopAnswers = 3

// processor is the main processor as seen over I2C. The step counters are set here and not in the robot: the receipts
// of I2C would arrive too late over Wi-Fi, and TCP loses no packet.
type processor struct {
	offset    [2]int16 // of the reported counters, relative to the robot's
	latched   *[2]int16
	moves     bool   // the last command was a motion
	stopCount uint64 // the count of sensors that confirms the stop
}

// exchange sends a command and returns the next sensors.
func (b *bus) exchange(w *[mcu.CommandSize]byte, out *[mcu.SensorsSize]byte) error {
	cmd, err := mcu.DecodeCommand(w[:])
	if err != nil {
		return &linkError{addr: b.robot.cfg.Address, why: "impossible command", err: err, no: syscall.EINVAL}
	}
	r := b.robot
	began := r.cfg.Now()
	r.mu.Lock()
	if err := r.trouble(began); err != nil {
		r.order(&cmd)
		r.mu.Unlock()
		r.nudge()
		return err
	}
	want := r.order(&cmd)
	r.mu.Unlock()
	r.nudge()
	if err := b.await(want); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reply(&cmd, out)
	return nil
}

// order stores a command for the robot, and returns the count of sensors to wait for. The caller holds the lock.
func (r *Robot) order(cmd *mcu.Command) (want uint64) {
	p := &r.processor
	c := packet.Command{Request: packet.RequestSensors, Left: int16(cmd.Left), Right: int16(cmd.Right), LEDs: packet.LEDs(cmd.LEDs)}
	for i, l := range cmd.RGB {
		c.RGB[i] = packet.RGB{R: l.R, G: l.G, B: l.B}
	}
	if cmd.Settings&mcu.SetSteps != 0 { // the speeds do not change
		c.Left, c.Right = r.want.Left, r.want.Right
	}
	if !r.up {
		c.Left, c.Right = 0, 0
	}
	r.want, r.dirty = c, true
	if cmd.Melody > 0 {
		r.shoot(func(c *packet.Command) { c.Sound = packet.SoundMario << (cmd.Melody - 1) })
	}
	if cmd.Settings&mcu.CalibrateIR != 0 {
		r.shoot(func(c *packet.Command) { c.Settings = packet.CalibrateIR })
		r.calibrating, r.calibration = true, r.cfg.Now()
	}
	if moves := c.Left != 0 || c.Right != 0; moves || p.moves {
		p.moves, p.stopCount = moves, r.count+stopAnswers
	}
	if r.calibrating {
		return 0 // it does not answer
	}
	if p.moves {
		return r.count + 1
	}
	return max(r.count+1, p.stopCount)
}

// await waits until the count of sensors is reached, for [ResponseTimeout] at most.
func (b *bus) await(want uint64) error {
	r := b.robot
	armed := false
	for {
		r.mu.Lock()
		err, news, done := r.trouble(r.cfg.Now()), r.news, r.count >= want
		r.mu.Unlock()
		switch {
		case done:
			return nil
		case err != nil:
			return err
		}
		if !armed {
			armed = true
			if b.timer == nil {
				b.timer = time.NewTimer(ResponseTimeout)
			} else {
				b.timer.Reset(ResponseTimeout)
			}
			defer b.timer.Stop()
		}
		select {
		case <-news:
		case <-b.timer.C:
			return &linkError{addr: r.cfg.Address, why: "no answer within " + ResponseTimeout.String(), no: syscall.ETIMEDOUT}
		}
	}
}

// reply makes the main processor's packet. The caller holds the lock.
func (r *Robot) reply(cmd *mcu.Command, out *[mcu.SensorsSize]byte) {
	p, s := &r.processor, &r.latest
	raw := [2]int16{s.LeftSteps, s.RightSteps}
	if !r.calibrating && p.latched != nil {
		p.set(*p.latched, raw)
		p.latched = nil
	}
	m := mcu.Sensors{
		Proximity: s.Proximity, Ambient: s.Ambient, Microphone: s.Microphone, Selector: s.Selector, Button: s.Button != 0,
		LeftSteps: raw[0] + p.offset[0], RightSteps: raw[1] + p.offset[1], Remote: s.RemoteData,
	}
	m.Put(out)
	if cmd.Settings&mcu.SetSteps == 0 {
		return
	}
	target := [2]int16{int16(cmd.Left), int16(cmd.Right)}
	if r.calibrating {
		p.latched = &target
		return
	}
	p.set(target, raw) // the reply is older than the setting
}

func (p *processor) set(target, raw [2]int16) {
	for i := range target {
		p.offset[i] = target[i] - raw[i]
	}
}
