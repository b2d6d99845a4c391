// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// wheelSteps are the speeds of both wheels in motor steps per second.
type wheelSteps struct{ left, right mcu.Speed }

// busState is what the goroutine that owns the bus knows. Nobody else touches it.
type busState struct {
	odometer  *odometry.Odometer
	used      *settings // those the odometer has
	reading   reading
	link      link
	ticks     schedule
	sent      wheelSteps // the speeds of the last exchange that succeeded
	lastExtra time.Time
	taken     time.Time     // when the last reading was taken
	published time.Time     // when the last published one was
	rebase    bool          // the step counters begin anew with the next reading
	turned    bool          // the selector was turned
	ailment   mcu.Diagnosis // why the robot is lost
	moved     bool          // a motion was sent to the robot, whether it arrived or not
	overruns  uint64
	exchanged time.Duration // what the last exchange took
	busy      time.Duration // what the last control cycle took, exchange included
	longest   time.Duration // the longest of these
	publish   func()        // publishes the reading on every output
	refused   uint64        // messages that could not be published
}

// init prepares the state and the reading that announcements are made from.
func (b *busState) init(d *Driver) (err error) {
	set := d.settings.Load()
	b.used = set
	b.odometer, err = odometry.New(odometry.Config{WheelRadius: set.wheels.Radius, WheelDistance: set.wheels.Distance})
	b.reading.first, b.reading.set = true, set
	b.reading.stamp = d.stamp(d.clock.Now())
	b.publish = d.publishAll
	return err
}

// cycle is one control cycle: exchange, odometry, publish.
func (d *Driver) cycle(now time.Time) error {
	b := &d.bus
	if err := d.exchange(now); err != nil {
		return err
	}
	r := &b.reading
	r.period = 0
	if !b.published.IsZero() {
		r.period = b.taken.Sub(b.published).Seconds()
	}
	b.published = b.taken
	d.node.Batch(b.publish)
	r.first = false
	b.busy = d.clock.Now().Sub(now)
	b.longest = max(b.longest, b.busy)
	return nil
}

// publishAll publishes the reading on every output.
func (d *Driver) publishAll() {
	for _, o := range d.outputs {
		if err := o.publish(&d.bus.reading); err != nil {
			d.bus.refused++
			if d.refusals.allow(d.clock.Now()) {
				d.log.Warn("a message was not published", "error", err)
			}
		}
	}
}

// exchange sends the command in force and takes the reading it is answered with.
func (d *Driver) exchange(now time.Time) error {
	b := &d.bus
	want := d.target(now)
	command := mcu.Command{Left: want.left, Right: want.right}
	d.lights.put(&command)
	b.moved = b.moved || want != wheelSteps{}
	sensors, err := d.dev.Exchange(command)
	end := d.clock.Now()
	b.exchanged = end.Sub(now)
	if err != nil {
		d.linkFailed(end, err)
		return err
	}
	b.sent = want
	d.linkSucceeded(end)
	d.take(sensors, end)
	d.tellSelector()
	return nil
}

// target gives the wheel speeds that are in force at now.
func (d *Driver) target(now time.Time) wheelSteps {
	set := d.settings.Load()
	v, omega, expired := d.motion.get(now, set.timeout)
	if expired && d.expiries.allow(now) {
		d.log.Info("no cmd_vel any more: wheels stopped", "cmd_vel_timeout", set.timeout)
	}
	left, right := set.wheels.Steps(v, omega)
	return wheelSteps{mcu.Speed(left), mcu.Speed(right)}
}

// take makes the sensors of an exchange that ended at end the present reading.
func (d *Driver) take(sensors mcu.Sensors, end time.Time) {
	b := &d.bus
	set := d.settings.Load()
	if set.wheels != b.used.wheels {
		if err := b.odometer.SetGeometry(set.wheels.Radius, set.wheels.Distance); err != nil {
			d.log.Error("odometry goes on with the old geometry", "error", err) // the parameters' ranges are narrower
		}
	}
	b.used = set
	if b.rebase {
		b.odometer.Rebase()
		b.rebase = false
	}
	r := &b.reading
	var event odometry.Event
	r.pose, event = b.odometer.Update(sensors.LeftSteps, sensors.RightSteps, end.Sub(b.taken))
	if event.Rebased() {
		r.first = true
	}
	if event == odometry.EventRestart {
		d.log.Warn("the step counters jumped; the pose goes on from where it was")
	}
	b.taken = end
	r.sensors, r.set, r.stamp = sensors, set, d.stamp(end)
}

// linkFailed notes that the robot did not answer. When that makes it lost, the motion is forgotten, and it is found out
// and said why.
func (d *Driver) linkFailed(now time.Time, err error) {
	if d.bus.link.failed(now) != linkLost {
		return
	}
	d.motion.stop(true)
	d.bus.sent = wheelSteps{}
	d.bus.ailment = d.dev.Probe()
	d.log.Error("the robot does not answer; commands are ignored until it does", "error", err, "advice", d.bus.ailment.Text)
}

// linkSucceeded notes that the robot answered.
func (d *Driver) linkSucceeded(now time.Time) {
	since := d.bus.link.since
	if d.bus.link.succeeded() != linkBack {
		return
	}
	d.motion.stop(false)
	d.bus.reading.first = true
	d.log.Info("the robot answers again; wheels stopped until the next cmd_vel", "after", now.Sub(since).Round(time.Millisecond))
}

// onEvent is told by the device, from within an exchange, what it found out.
func (d *Driver) onEvent(e mcu.Event) {
	switch e.Kind {
	case mcu.EventRestart:
		d.bus.rebase = true
		d.log.Warn("the robot was restarted; the pose goes on from where it was")
	case mcu.EventSelector:
		d.bus.turned = true // the device is locked here and can't be asked for its advice
	case mcu.EventFailed:
		d.log.Warn("the robot did not take a command", "error", e.Err, "attempts", e.Attempts)
	default:
		d.log.Debug(e.Kind.String(), "attempts", e.Attempts)
	}
}

// tellSelector says what a selector that is not where it belongs means, once per turn.
func (d *Driver) tellSelector() {
	if !d.bus.turned {
		return
	}
	d.bus.turned = false
	if text := d.dev.Diagnosis().Text; text != "" {
		d.log.Warn(text)
	}
}
