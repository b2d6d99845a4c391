// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a driver on a simulated robot and, on the same network, the robot as the procedures see it.
type rig struct {
	*testing.T
	robot  *Robot
	sim    *sim.Firmware
	node   *ros2.Node
	driver *driver.Driver
	ui     *person
}

// bubble runs a test with a rig in simulated time.
func bubble(t *testing.T, world string, parts bool, f func(r *rig)) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, ui: &person{}}
		w, err := sim.ParseWorld([]byte(world))
		r.must(err)
		s, err := sim.New(w, sim.Options{Seed: 5, Now: time.Now, Sleep: time.Sleep, MaxCatchUp: -1})
		r.must(err)
		r.sim = sim.RobotsOf[*sim.Firmware](s)[0]
		line := []string{"--ros-args"}
		if !parts {
			line = append(line, strings.Fields("-p imu_rate:=0.0 -p tof_rate:=0.0 -p ground_rate:=0.0 -p mag_rate:=0.0 -p camera.setup:=false")...)
		}
		args, _, err := ros2.ParseArgs(line)
		r.must(err)
		ether := ros2test.NewNetwork()
		node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: ether.NewTransport(), Args: args, Standard: true})
		r.must(err)
		r.node, err = ros2.NewNode(ros2.NodeConfig{Name: "calibrate", Transport: ether.NewTransport()})
		r.must(err)
		robot := &chips.Robot{Bus: r.sim.Bus()}
		cfg := driver.Config{Hardware: robot, Node: node, Logger: slog.New(slog.DiscardHandler)}
		cfg.Camera = func(string) (camera.Device, error) { return r.sim.Camera(), nil }
		if parts {
			robot.BoardBus = r.sim.BoardBus()
		}
		r.driver, err = driver.New(cfg)
		r.must(err)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- r.driver.Run(ctx) }()
		r.robot, err = NewRobot(r.node, driver.NodeName)
		r.must(err)
		f(r)
		r.must(r.robot.Close())
		cancel()
		<-ended
		r.must(r.driver.Close())
		r.must(r.node.Close())
		r.must(node.Close())
	})
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// truth gives the ends of runs from the simulator.
func (r *rig) truth() Ends {
	return &tracked{reading: wheels.Reading{Position: 0.0001, Heading: 1e-4}, where: func(context.Context) (wheels.Pose, error) {
		p := r.sim.Pose()
		return wheels.Pose{X: p.X, Y: p.Y, Theta: p.Theta}, nil
	}}
}

// journal begins a journal of robot r.
func (r *rig) journal(kind string) (j *Journal, path string) {
	r.Helper()
	path = filepath.Join(r.TempDir(), "journal.json")
	j, err := NewJournal(path, kind, "r", time.Now())
	r.must(err)
	return j, path
}

// requireStopped fails unless the wheels are stopped.
func (r *rig) requireStopped() {
	r.Helper()
	time.Sleep(200 * time.Millisecond)
	if t := r.sim.GroundTruth(); t.LeftSpeed != 0 || t.RightSpeed != 0 {
		r.Errorf("the wheels turn at %v and %v rad/s", t.LeftSpeed, t.RightSpeed)
	}
}

// person answers from a list, or does what a function says.
type person struct {
	mu      sync.Mutex
	answers []string
	act     func(question string) string
	said    []string
	at      string // the words of a question or of the progress …
	then    func() // … at which this is called, once
}

// hears looks whether these are the words.
func (p *person) hears(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.then != nil && strings.Contains(text, p.at) {
		p.then()
		p.then = nil
	}
}

func (p *person) Say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, fmt.Sprintf(format, args...))
}

func (p *person) Progress(format string, args ...any) { p.hears(fmt.Sprintf(format, args...)) }

func (p *person) Ask(ctx context.Context, question string) (string, error) {
	p.Say("%s", question)
	p.hears(question)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.act != nil {
		return p.act(question), ctx.Err()
	}
	if len(p.answers) == 0 {
		return "", errNoAnswer
	}
	a := p.answers[0]
	p.answers = p.answers[1:]
	return a, ctx.Err()
}

func (p *person) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.said, "\n")
}

func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s is %v, want %v: %.3f %% off", what, got, want, 100*(got/want-1))
	}
}
