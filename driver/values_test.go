// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// values lists the data of messages for comparison.
func values[T any, V any](messages func() []*T, data func(*T) V) string {
	var all []V
	for _, m := range messages() {
		all = append(all, data(m))
	}
	return fmt.Sprint(all)
}

func ofUInt8(m *std_msgs.UInt8) uint8 { return m.Data }

func TestButtonAndSelectorOnChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		button, selector := listenTo[std_msgs.Bool](r, "button"), listenTo[std_msgs.UInt8](r, "selector")
		time.Sleep(time.Second)
		for _, down := range []bool{true, false, true} {
			r.robot.PressButton(down)
			time.Sleep(500 * time.Millisecond)
		}
		r.must(r.robot.TurnSelector(4))
		time.Sleep(time.Second)
		ofBool := func(m *std_msgs.Bool) bool { return m.Data }
		if got := values(button, ofBool); got != "[false true false true]" {
			t.Errorf("button %s", got)
		}
		if got := values(selector, ofUInt8); got != "[10 4]" {
			t.Errorf("selector %s", got)
		}
		// Who comes late gets the state of now, once.
		late := listenWith[std_msgs.Bool](r, "button", ros2.LatchedQoS())
		time.Sleep(time.Second)
		if got := values(late, ofBool); got != "[true]" {
			t.Errorf("a latecomer gets %s", got)
		}
	})
}

// The robot keeps the last remote command. Only a key pressed while the driver runs is published.
func TestRemoteCommandsAreNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true})
		r.must(r.robot.SendRemote(5)) // before the driver started
		remote := listenTo[std_msgs.UInt8](r, "tv_remote")
		r.run()
		time.Sleep(time.Second)
		for _, code := range []int{40, 41, 41, 40} {
			r.must(r.robot.SendRemote(code))
			time.Sleep(300 * time.Millisecond)
		}
		if got := values(remote, ofUInt8); got != "[40 41 40]" {
			t.Errorf("received %s", got)
		}
		// Pressed while the robot was out of reach: not now.
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		time.Sleep(3 * time.Second)
		r.must(r.robot.SendRemote(50))
		time.Sleep(time.Second)
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
		time.Sleep(3*time.Second + 20*time.Millisecond) // between two exchanges
		// After a restart the robot knows none: that is no key either.
		r.robot.Restart()
		time.Sleep(3 * time.Second)
		if got := values(remote, ofUInt8); got != "[40 41 40]" {
			t.Errorf("received %s", got)
		}
	})
}

// A subscriber does not get a key that was pressed before.
func TestRemoteCommandsAreNotLatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		time.Sleep(time.Second)
		r.must(r.robot.SendRemote(40))
		time.Sleep(time.Second)
		remote := listenTo[std_msgs.UInt8](r, "tv_remote")
		time.Sleep(time.Second)
		if got := values(remote, ofUInt8); got != "[]" {
			t.Errorf("received %s", got)
		}
	})
}
