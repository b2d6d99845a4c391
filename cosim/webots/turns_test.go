// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Time is stopped until all controllers have asked for it, and each is answered when its own time has passed.
func TestControllersHoldTime(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { c.Controllers = 2 })
	if s := g.server.Status(); s.By != "Webots controllers" || !strings.Contains(s.Waits, "controller 1 of 2") {
		t.Errorf("status %v", s)
	}
	a := g.control("a")
	a.send(48)
	b := g.control("b")
	if age := g.sim.Elapsed(); age != 0 {
		t.Fatalf("the world is %v old", age)
	}
	b.do(16)
	b.do(16)
	if b.now != 0.032 || g.sim.Elapsed() != 30*time.Millisecond {
		t.Errorf("time %g s, the world %v", b.now, g.sim.Elapsed())
	}
	b.send(64) // until 96
	if err := a.take(); err != nil || a.now != 0.048 {
		t.Fatalf("time %g s, %v", a.now, err)
	}
	a.do(16)
	a.do(0) // lets none pass
	if a.now != 0.064 || g.sim.Elapsed() != 60*time.Millisecond {
		t.Errorf("time %g s, the world %v", a.now, g.sim.Elapsed())
	}
	a.send(100)
	if err := b.take(); err != nil || b.now != 0.096 {
		t.Fatalf("time %g s, %v", b.now, err)
	}
	if s := g.server.Status(); s.Waits != "" && s.Waits != "the next wb_robot_step of b" {
		t.Errorf("status %v", s)
	}
}

// A controller that ends in the middle of a step stops its robot; the others continue.
func TestControllerIsKilled(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { c.Controllers = 2 })
	a, b := g.control("a"), g.control("b")
	a.send(3600_000, a.drive(-2, -2)...)
	b.do(50)
	if left, _, _, _ := g.truth("a"); left > -1.9 {
		t.Fatalf("a turns its wheel with %g rad/s", left)
	}
	if err := a.conn.Close(); err != nil { // as the kernel does for a killed process
		t.Fatal(err)
	}
	for range 10000 {
		if left, right, _, _ := g.truth("a"); left == 0 && right == 0 {
			break
		}
		b.do(10)
	}
	if left, right, _, _ := g.truth("a"); left != 0 || right != 0 {
		t.Errorf("a turns its wheels with %g and %g rad/s", left, right)
	}
	b.do(10)
	again := g.control("a") // it may come again
	again.send(10)
	b.do(10)
	if err := again.take(); err != nil {
		t.Error(err)
	}
}

// A controller that says that it ends stops its robot, too; then time stops.
func TestControllerEnds(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("a")
	p.do(100, p.drive(1, 1)...)
	p.do(0, p.part("", wire.RobotExit))
	if _, err := p.conn.Write(wire.AppendRequest(nil, wire.Request{Bye: true})); err != nil {
		t.Fatal(err)
	}
	if _, err := p.bytes(1); !errors.Is(err, io.EOF) {
		t.Errorf("after the end %v", err)
	}
	g.control("a").do(20)
	if left, right, _, _ := g.truth("a"); left != 0 || right != 0 {
		t.Errorf("the wheels turn with %g and %g rad/s", left, right)
	}
}

// When the server ends, controllers are asked to quit.
func TestControllersQuit(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { c.Controllers = 2 })
	a := g.control("a")
	a.send(32)
	g.stop()
	if err := a.take(); err != nil || !a.quit {
		t.Errorf("quit %t, %v", a.quit, err)
	}
	if _, err := a.conn.Write(wire.AppendRequest(nil, wire.Request{Bye: true})); err != nil {
		t.Error(err) // there would be a signal
	}
	if _, err := a.bytes(1); !errors.Is(err, io.EOF) {
		t.Errorf("the connection stays open: %v", err)
	}
}

// A robot that leaves the world takes its controller with it.
func TestRobotLeaves(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("a")
	p.do(32)
	if err := g.sim.Remove("a"); err != nil {
		t.Fatal(err)
	}
	p.do(32)
	if !p.quit {
		t.Error("it was not notified")
	}
	if _, answer := g.meet("CTR\nRobot-Name: a"); answer != "" && answer != wire.Failed {
		t.Errorf("answer %q", answer)
	}
}

// The same controllers make the same run, however fast they are and in which order they come.
func TestSameRun(t *testing.T) {
	run := func(first, second string, late bool) [32]byte {
		g := serve(t, arena, func(c *webots.Config) { c.Controllers = 2 })
		peers := map[string]*peer{}
		for _, name := range []string{first, second} {
			peers[name] = g.control(name)
		}
		var group task.Group
		begin := make(chan struct{})
		for name, p := range peers {
			group.Go(name, func() {
				if late && name == "b" {
					<-begin
				}
				for i := range 30 {
					v := float64(i%7) - 3
					p.do(32, append(p.drive(v, -v), p.period("receiver", 32), p.part("emitter", emission(name)...))...)
					if i == 0 && name == "a" && !late {
						close(begin)
					}
				}
			})
			if late && name == "a" {
				close(begin)
			}
		}
		group.Wait()
		if got, want := len(peers["b"].heard), 30; got != want {
			t.Errorf("b has heard %d, want %d", got, want)
		}
		return g.sim.TraceHash()
	}
	want := run("a", "b", false)
	for _, got := range [][32]byte{run("b", "a", false), run("a", "b", true)} {
		if got != want {
			t.Errorf("trace %x, want %x", got, want)
		}
	}
}
