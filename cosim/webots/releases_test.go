// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// controlAs makes a controller over TCP that is of a release.
func (g *rig) controlAs(robot string, r wire.Release) *peer {
	g.t.Helper()
	conn, answer := g.meet("CTR\nRobot-Name: " + robot)
	if answer != wire.Connected {
		g.t.Fatalf("robot %s: %q", robot, answer)
	}
	p := &peer{t: g.t, conn: conn, release: r}
	p.begin()
	return p
}

// Between releases the numbers of nodes differ, the layout of sounds, and nothing that a sensor reads.
func TestReleasesDiffer(t *testing.T) {
	for name, want := range map[string]struct{ motor, sensor, speaker uint16 }{
		"R2023a": {56, 51, 58}, "R2023b": {57, 52, 59}, "R2025a": {57, 52, 59},
	} {
		r, err := wire.ParseRelease(name)
		if err != nil {
			t.Fatal(err)
		}
		p := serve(t, arena, func(c *webots.Config) { c.Release = r }).controlAs("a", r)
		if p.kinds["left wheel motor"] != want.motor || p.kinds["right wheel sensor"] != want.sensor || p.kinds["speaker"] != want.speaker {
			t.Errorf("%s: nodes %v", name, p.kinds)
		}
		for node, tag := range map[uint16]uint16{want.motor: 1, want.sensor: 2, want.motor + 1: 0, want.sensor - 1: 0, want.speaker: 0} {
			p.do(0, p.part("left wheel motor", wire.MotorAssociated, 0, byte(node), 0))
			if got := p.value("left wheel motor"); got != float64(tag) {
				t.Errorf("%s: node %d of the left wheel is device %g, want %d", name, node, got, tag)
			}
			p.do(0, p.part("left wheel sensor", wire.PositionAssociated, byte(node), 0))
			if got := p.value("left wheel sensor"); got != float64(tag) {
				t.Errorf("%s: node %d of the sensor is device %g, want %d", name, node, got, tag)
			}
		}
		sound := append([]byte{wire.SpeakerPlay, 1, 0, 0, 0, 2, 0, 'x', 0}, make([]byte, 24+2+1)...)
		if name == "R2025a" {
			sound = append(sound, 3, 0, 0, 0, 'w', 'a', 'v')
		}
		p.do(32, p.part("speaker", append(sound, wire.SpeakerStop, 0, 0)...), p.period("tof", 32))
		if !slices.Equal(p.over, []string{"x"}) || !(p.value("tof") > 0) {
			t.Errorf("%s: %q is over, tof reads %g", name, p.over, p.value("tof"))
		}
	}
}

// A sound as another release has it can't be read: it is left out, the log says so, and the request is answered.
func TestSoundOfAnotherRelease(t *testing.T) {
	var log journal
	g := serve(t, arena, func(c *webots.Config) { log.logged(c); c.Release = wire.Latest() })
	p := g.controlAs("a", wire.Latest())
	p.do(0, p.part("speaker", append([]byte{wire.SpeakerPlay, 1, 0, 0, 0, 2, 0, 'x', 0}, make([]byte, 24+2+1)...)...))
	p.do(32)
	if want := `device \"speaker\": webots: ends too early: 0 of 4 bytes`; log.count(want) != 1 {
		t.Errorf("want %s, the log says %s", want, &log.text)
	}
}

// What a server can't be is refused by its name and number; what is at the bounds is served.
func TestConfigNamesItsFields(t *testing.T) {
	w, err := sim.ParseWorld([]byte(arena))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: sim.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(c *webots.Config){
		"no robot of the functional level":            func(c *webots.Config) { c.Simulation = nil },
		"10001 controllers, must be 1 to 10000":       func(c *webots.Config) { c.Controllers = 10001 },
		"-1 controllers":                              func(c *webots.Config) { c.Controllers = -1 },
		"basic step 1m0.001s":                         func(c *webots.Config) { c.BasicStep = time.Minute + time.Millisecond },
		"basic step 1.5ms":                            func(c *webots.Config) { c.BasicStep = 1500 * time.Microsecond },
		"basic step -32ms":                            func(c *webots.Config) { c.BasicStep = -32 * time.Millisecond },
		"timeout -1s":                                 func(c *webots.Config) { c.Timeout = -time.Second },
		"pictures of 641×1, must be 1×1 to 640×":      func(c *webots.Config) { c.CameraWidth, c.CameraHeight = 641, 1 },
		"pictures of 0×1":                             func(c *webots.Config) { c.CameraHeight = 1 },
		"pictures of -1×-1":                           func(c *webots.Config) { c.CameraWidth, c.CameraHeight = -1, -1 },
		`"192.0.2.1:1": an address of other machines`: func(c *webots.Config) { c.Address = "192.0.2.1:1" },
		`"[::]:0": an address of other machines`:      func(c *webots.Config) { c.Address = "[::]:0" },
		`"host": address host: missing port`:          func(c *webots.Config) { c.Address = "host" },
	} {
		c := webots.Config{Simulation: s, Address: "127.0.0.1:0"}
		change(&c)
		server, err := webots.New(c)
		if server != nil || err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, webots.ErrConfig) && !errors.Is(err, webots.ErrAddress) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, c := range []webots.Config{
		{Controllers: 10000, BasicStep: time.Minute, CameraWidth: vcamera.Width, CameraHeight: vcamera.Height},
		{Controllers: 1, BasicStep: time.Millisecond, CameraWidth: 1, CameraHeight: 1, Address: "[::1]:0"},
	} {
		if c.Simulation = s; c.Address == "" {
			c.Address = "127.0.0.1:0"
		}
		server, err := webots.New(c)
		if err != nil && !strings.Contains(err.Error(), "assign requested address") { // a machine without IPv6
			t.Errorf("%+v: %v", c, err)
		}
		if err == nil {
			err = errors.Join(server.Close(), server.Close())
		}
		if server != nil && (err != nil || server.URL("a") != fmt.Sprintf("tcp://%s/a", server.Addr())) {
			t.Errorf("URL %q, at its end %v", server.URL("a"), err)
		}
	}
}

// Pictures have the size that was asked for, from one pixel up to the camera's own, and controllers receive the step.
func TestPicturesAndSteps(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 480}, {vcamera.Width, vcamera.Height}} {
		g := serve(t, arena, func(c *webots.Config) {
			c.CameraWidth, c.CameraHeight, c.BasicStep = size[0], size[1], 16*time.Millisecond
		})
		p := g.control("b")
		if p.step != 16 {
			t.Errorf("the basic step is %g ms", p.step)
		}
		if p.do(32, p.period("camera", 64)); p.image != nil {
			t.Errorf("a picture of %d bytes before its time", len(p.image))
		}
		if p.do(32); len(p.image) != 4*size[0]*size[1] || p.image[len(p.image)-1] != 255 {
			t.Errorf("%v: a picture of %d bytes", size, len(p.image))
		}
		p.image = nil
		if p.do(64, p.period("camera", 0)); p.image != nil {
			t.Error("a picture of a camera that is off")
		}
	}
}
