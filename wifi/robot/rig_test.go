// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/wifi"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var errFar = errors.New("no route to the robot")

// rig is a robot over Wi-Fi and the simulated robot to which it connects, in a synctest bubble.
type rig struct {
	testing.TB
	sim       *sim.Simulation
	simulated *sim.Functional
	robot     *robot.Robot

	mu    sync.Mutex
	far   bool                    // out of reach
	conn  net.Conn                // the robot's end of the current connection
	wrap  func(net.Conn) net.Conn // of the robot's end; may be nil
	dials int
}

// newRig returns the robot in a world; it serves one client at a time, as the real one does.
func newRig(t testing.TB, worldText string) *rig {
	t.Helper()
	r := &rig{TB: t}
	w, err := sim.ParseWorld([]byte(worldText))
	r.must(err)
	w.Robots[0].Level = world.LevelFunctional
	r.sim, err = sim.New(w, sim.Options{Now: time.Now})
	r.must(err)
	r.simulated = sim.RobotsOf[*sim.Functional](r.sim)[0]
	radio, err := wifi.NewRadio(r.simulated)
	r.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	calls, ended := make(chan net.Conn), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case conn := <-calls:
				radio.Serve(ctx, conn)
			case <-ctx.Done():
				return
			}
		}
	}()
	r.robot, err = robot.New(robot.Config{Address: "epuck", Dial: func(ctx context.Context, address string) (net.Conn, error) {
		if address != "epuck:1000" {
			t.Errorf("dials %q", address)
		}
		return r.dial(ctx, calls)
	}})
	r.must(err)
	t.Cleanup(func() {
		r.must(r.robot.Close())
		cancel()
		<-ended
	})
	return r
}

func (r *rig) dial(ctx context.Context, calls chan<- net.Conn) (net.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dials++; r.far {
		return nil, errFar
	}
	mine, its := net.Pipe()
	r.conn = its
	if r.wrap != nil {
		its = r.wrap(its)
	}
	select {
	case calls <- its:
		return mine, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// again makes the link reconnect, through wrap.
func (r *rig) again(wrap func(net.Conn) net.Conn) {
	r.connected(r.dev(nil))
	r.mu.Lock()
	r.wrap = wrap
	r.mu.Unlock()
	r.setFar(true)
	r.setFar(false)
}

// setFar moves the robot out of range, which cuts the connection, or back.
func (r *rig) setFar(far bool) {
	r.mu.Lock()
	r.far = far
	conn := r.conn
	r.mu.Unlock()
	if far {
		r.must(conn.Close())
	}
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// dev returns the driver's device of the main processor.
func (r *rig) dev(events func(mcu.Event)) *mcu.Dev {
	r.Helper()
	d, err := mcu.New(r.robot.Bus(), &mcu.Opts{OnEvent: events})
	r.must(err)
	return d
}

// connected waits until the robot is connected.
func (r *rig) connected(d *mcu.Dev) {
	r.Helper()
	r.until("the robot answers", func() bool {
		_, err := d.Exchange(mcu.Command{})
		return err == nil
	})
}

// until waits for a condition, for a simulated minute at most.
func (r *rig) until(what string, is func() bool) {
	r.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			r.Fatal("never: " + what)
		}
	}
}

// speeds returns the speeds of the simulated wheels, in steps/s.
func (r *rig) speeds() [2]float64 {
	t := r.simulated.GroundTruth()
	const turn = 2 * 3.141592653589793
	return [2]float64{t.LeftSpeed / turn * 1000, t.RightSpeed / turn * 1000}
}

// inBubble runs a test in a synctest bubble.
func inBubble(t *testing.T, world string, f func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(newRig(t, world)) })
}

const plain = "robots: [{name: r}]\n"
