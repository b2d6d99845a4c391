// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// asked keeps what the topics asked for.
type asked struct{ all []string }

func (a *asked) put(format string, args ...any) { a.all = append(a.all, fmt.Sprintf(format, args...)) }

func (a *asked) Twist(m *geometry_msgs.Twist)     { a.put("twist %v %v", m.Linear.X, m.Angular.Z) }
func (a *asked) Joints(m *sensor_msgs.JointState) { a.put("joints %v", m.Velocity) }
func (a *asked) Red(led int, on bool)             { a.put("red %d %v", led, on) }
func (a *asked) Colour(led int, rgb uint32)       { a.put("colour %d %06x", led, rgb) }
func (a *asked) BoardLED(led int, rgb int32)      { a.put("board %d %06x", led, rgb) }
func (a *asked) Melody(number int)                { a.put("melody %d", number) }

// Each topic asks for what its row says, with its own number, in the type that the parameters choose.
func TestInputsAskForTheirCommand(t *testing.T) {
	twist := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}, Angular: geometry_msgs.Vector3{Z: 2}}
	for _, c := range []struct {
		args string
		say  func(p *pair)
		want string
	}{
		{"", func(p *pair) { say(p, "cmd_vel", &twist) }, "twist 0.1 2"},
		{"-p cmd_vel_stamped:=true", func(p *pair) { say(p, "cmd_vel", &geometry_msgs.TwistStamped{Twist: twist}) }, "twist 0.1 2"},
		{"", func(p *pair) { say(p, "joint_commands", &sensor_msgs.JointState{Velocity: []float64{1, 2}}) }, "joints [1 2]"},
		{"", func(p *pair) { say(p, "led2", &std_msgs.Int32{Data: 7}) }, "red 2 true"},
		{"", func(p *pair) { say(p, "led6", &std_msgs.Int32{}) }, "red 6 false"},
		{"-p led_type:=bool", func(p *pair) { say(p, "led0", &std_msgs.Bool{Data: true}) }, "red 0 true"},
		{"-p led_type:=bool", func(p *pair) { say(p, "led1", &std_msgs.Int32{Data: 0x010203}) }, "colour 1 010203"},
		{"", func(p *pair) { say(p, "led7", &std_msgs.Int32{Data: 0xff8000}) }, "colour 7 ff8000"},
		{"", func(p *pair) { say(p, "speaker", &std_msgs.UInt8{Data: 3}) }, "melody 3"},
		{"", func(p *pair) { say(p, "pi_led1", &std_msgs.Int32{Data: 0xff}) }, "board 1 0000ff"},
	} {
		synctest.Test(t, func(t *testing.T) {
			p, a := newPair(t, c.args), &asked{}
			inputs, err := NewInputs(p.robot, a, p.set, slices.Concat(SubscribedBy(""), SubscribedBy(parts.LEDs)))
			p.must(err)
			c.say(p)
			synctest.Wait()
			p.must(CloseInputs(inputs))
			if len(a.all) != 1 || a.all[0] != c.want {
				t.Errorf("asked for %q, want %q", a.all, c.want)
			}
		})
	}
}

// A row that can't be subscribed takes those before it with it.
func TestInputsOfABadRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, a := newPair(t, ""), &asked{}
		rows := append(SubscribedBy(""), p.row("odom"))
		if _, err := NewInputs(p.robot, a, p.set, rows); !errors.Is(err, errRow) {
			t.Errorf("got %v", err)
		}
		say(p, "speaker", &std_msgs.UInt8{Data: 3})
		synctest.Wait()
		if a.all != nil {
			t.Errorf("still asks for %q", a.all)
		}
	})
}
