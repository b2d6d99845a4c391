// SPDX-License-Identifier: Apache-2.0

//go:build linux

package driving

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/teleop"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// commandLog is a commandPublisher that records the commands.
type commandLog struct {
	mu   sync.Mutex
	sent []float64
	is   chan struct{} // a token after each
}

func (r *commandLog) drive(v, _ float64) error {
	r.mu.Lock()
	r.sent = append(r.sent, v)
	r.mu.Unlock()
	select {
	case r.is <- struct{}{}:
	default:
	}
	return nil
}

// TestTeleopStopsAtEndOfInput: the end of standard input ends driving with zeros, whatever was held.
func TestTeleopStopsAtEndOfInput(t *testing.T) {
	in, keys := io.Pipe()
	h := &input{changed: make(chan struct{}, 1), pilot: teleop.NewPilot(), source: in}
	h.decode = h.typed
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { cancel(h.read(ctx)) }()
	r, ended := &commandLog{is: make(chan struct{}, 1)}, make(chan error, 1)
	go func() { ended <- steer(ctx, r, h) }()
	if _, err := keys.Write([]byte(teleop.QueryProtocol + "\x1b[?0u\x1b[105;1:1u")); err != nil { // with releases
		t.Fatal(err)
	}
	<-r.is
	if err := keys.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !errors.Is(context.Cause(ctx), errInputClosed) {
		t.Error(context.Cause(ctx))
	}
	if n := len(r.sent); n < 4 || r.sent[0] != teleop.StartSpeed || r.sent[n-1] != 0 || r.sent[n-2] != 0 || r.sent[n-3] != 0 {
		t.Error(r.sent)
	}
}

func TestTeleopQuitsByKey(t *testing.T) {
	for _, key := range []string{"\x03", "\x04", "\x1b[99;5u"} {
		h := &input{changed: make(chan struct{}, 1), pilot: teleop.NewPilot(), source: strings.NewReader(key)}
		h.decode = h.typed
		if err := h.read(t.Context()); !errors.Is(err, errQuit) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestTeleopSpeaksTheRobotsType: TwistStamped where the robot wants it, Twist elsewhere.
func TestTeleopSpeaksTheRobotsType(t *testing.T) {
	ether := ros2test.NewNetwork()
	node := func(name, namespace string) *ros2.Node {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Namespace: namespace, Transport: ether.NewTransport()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = n.Close() })
		return n
	}
	stamped, plain := make(chan float64, 1), make(chan float64, 1)
	if _, err := ros2.Listen(node("robot", "/a"), "cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.TwistStamped) { stamped <- m.Twist.Linear.X }); err != nil {
		t.Fatal(err)
	}
	if _, err := ros2.Listen(node("robot", "/b"), "cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.Twist) { plain <- m.Linear.X }); err != nil {
		t.Fatal(err)
	}
	for namespace, heard := range map[string]chan float64{"/a": stamped, "/b": plain} {
		r, err := openPublisher(t.Context(), node("teleop", namespace), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.drive(0.1, 0); err != nil || <-heard != 0.1 {
			t.Error(namespace, err)
		}
	}
}

// TestTeleopGivesTheTerminalBack: the protocol is switched on and off again, and echo is back.
func TestTeleopGivesTheTerminalBack(t *testing.T) {
	ours, theirs := fixtures.OpenTerminal(t, 80)
	defer func() { _ = theirs.Close() }()
	h, err := (&teleopOptions{pilot: teleop.NewPilot()}).openInput(theirs, theirs)
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	want := teleop.QueryProtocol + teleop.PushProtocol + teleop.PopProtocol
	var got bytes.Buffer
	for buf := make([]byte, 64); got.Len() < len(want); {
		n, err := ours.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(buf[:n])
	}
	if got.String() != want {
		t.Errorf("%q, want %q", got.String(), want)
	}
}

// TestTeleopByJoystick: a joystick that is pulled out stops the robot.
func TestTeleopByJoystick(t *testing.T) {
	path := t.TempDir() + "/js0"
	events := []byte{0, 0, 0, 0, 1, 0, 1, 4, 0, 0, 0, 0, 0x01, 0x80, 2, 1} // button 4 pressed, axis 1 to its upper end
	if err := os.WriteFile(path, events, 0o600); err != nil {
		t.Fatal(err)
	}
	o := &teleopOptions{joystick: path, pilot: teleop.NewPilot(), stick: teleop.Joystick{LinearAxis: 1, EnableButton: 4, Speed: 0.1}}
	h, err := o.openInput(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.read(t.Context()); !errors.Is(err, errInputClosed) {
		t.Error(err)
	}
	if v, _ := h.command(time.Now()); v != 0.1 {
		t.Error(v)
	}
}

func TestTeleopSaysHowToDrive(t *testing.T) {
	o := &teleopOptions{}
	if text := o.controls(); !strings.Contains(text, "u i o") || !strings.Contains(text, "Ctrl-C ends") {
		t.Errorf("keys: %q", text)
	}
	o.joystick, o.stick = "/dev/input/js0", teleop.Joystick{LinearAxis: 3, AngularAxis: 2, EnableButton: 4}
	if text := o.controls(); text != "axis 3 drives, axis 2 turns while button 4 is held; Ctrl-C ends" {
		t.Errorf("joystick: %q", text)
	}
	o.stick.EnableButton = -1
	if text := o.controls(); text != "axis 3 drives, axis 2 turns; Ctrl-C ends" {
		t.Errorf("joystick without a button: %q", text)
	}
}
