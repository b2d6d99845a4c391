// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// gate is a place where everybody who comes along waits while it is shut.
type gate struct {
	mu   sync.Mutex
	shut chan struct{} // nil while it is open
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = make(chan struct{})
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

func (g *gate) pass() {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut != nil {
		<-shut
	}
}

// gates are all the places where something outside the wheels' loop can hang.
type gates map[string]*gate

// gateNames lists them. Chips have their addresses, on the robot's bus and on the board's.
var gateNames = []string{
	"log", "cork", "publish", "graph", "camera", "service handler", "parameter observer", "sign of life", "charger", "battery",
	"imu", "tof", "ground", "camera sensor", "board LEDs", "board magnetometer",
}

var gatedChips = map[uint16]string{vl53l0x.Addr: "tof", imu.Addr: "imu", imu.AddrAlt: "imu", ground.Addr: "ground", 0x21: "camera sensor", 0x6E: "camera sensor"}

// gatedBus is a bus on which a transfer with some chips hangs.
type gatedBus struct {
	pi2c.Bus
	at func(addr uint16) *gate // nil: passes
}

func (b gatedBus) Tx(addr uint16, w, r []byte) error {
	if g := b.at(addr); g != nil {
		g.pass()
	}
	return b.Bus.Tx(addr, w, r)
}

type gatedLog struct {
	slog.Handler
	g *gate
}

func (l gatedLog) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l gatedLog) Handle(ctx context.Context, r slog.Record) error {
	l.g.pass()
	return l.Handler.Handle(ctx, r)
}

type gatedNetwork struct {
	*ros2test.Transport
	gates gates
}

func (n gatedNetwork) Cork() {
	n.gates["cork"].pass()
	n.Transport.Cork()
}

func (n gatedNetwork) Graph() ros2.Graph {
	n.gates["graph"].pass()
	return n.Transport.Graph()
}

func (n gatedNetwork) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w, err := n.Transport.NewWriter(cfg)
	return gatedWriter{w, n.gates["publish"]}, err
}

type gatedWriter struct {
	ros2.Writer
	g *gate
}

func (w gatedWriter) Write(p []byte) error {
	w.g.pass()
	return w.Writer.Write(p)
}

type gatedFiles struct {
	fs.FS
	g *gate
}

func (f gatedFiles) Open(name string) (fs.File, error) {
	f.g.pass()
	return f.FS.Open(name)
}

type gatedCamera struct {
	camera.Device
	g *gate
}

func (c gatedCamera) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	c.g.pass()
	s, err := c.Device.Open(ctx, want)
	return gatedSource{s, c.g}, err
}

type gatedSource struct {
	camera.Source
	g *gate
}

func (s gatedSource) Read() (camera.Frame, func(), error) {
	s.g.pass()
	return s.Source.Read()
}

// gatedRig is a robot with everything, driven by a program in which everything can hang.
func gatedRig(t *testing.T, pictures bool, args string) (*rig, gates) {
	all := gates{}
	for _, name := range gateNames {
		all[name] = &gate{}
	}
	r := newRig(t, rigOptions{
		world: "arena", parts: true, board: true, noStart: true, args: args,
		sim: sim.Options{Seed: 3, Now: time.Now, Sleep: pass},
		bus: func(b pi2c.Bus) pi2c.Bus {
			return gatedBus{b, func(addr uint16) *gate { return all[gatedChips[addr]] }}
		},
		network: func(n ros2.Transport) ros2.Transport { return gatedNetwork{n.(*ros2test.Transport), all} },
		config: func(c *Config) {
			c.Logger = slog.New(gatedLog{c.Logger.Handler(), all["log"]})
			c.OnCycle = func(bool) { all["sign of life"].pass() }
			chipsOf(c).Charger = func() (bool, bool) { all["charger"].pass(); return false, true }
			chipsOf(c).Files = gatedFiles{chipsOf(c).Files, all["battery"]}
			chipsOf(c).BoardBus = gatedBus{chipsOf(c).BoardBus, func(addr uint16) *gate {
				if addr == pipuck.Addr {
					return all["board LEDs"]
				}
				return all["board magnetometer"]
			}}
			if !pictures {
				return
			}
			c.Camera = func(string) (camera.Device, error) { return gatedCamera{new(smallCamera), all["camera"]}, nil }
			c.CameraCalibration = ownCalibration().Scaled(smallWidth, smallHeight)
		},
	})
	t.Cleanup(func() { // before the rig's own, which waits for the helpers
		for _, g := range all {
			g.open()
		}
		time.Sleep(3 * time.Second) // whatever hung ends
	})
	_, err := ros2.NewService(r.node, std_srvs.Trigger{}, "others", func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		all["service handler"].pass()
		return &std_srvs.TriggerResponse{}, nil
	})
	r.must(err)
	r.node.Parameters().OnChange(func(ros2.ParameterEvent) { all["parameter observer"].pass() })
	r.run()
	subscribeAll(r)
	if pictures {
		discard[sensor_msgs.Image](r, table.TopicImage)
	}
	return r, all
}

// disturb makes everything happen that can hang: a service is called, a parameter changed, a chip switched.
func (r *rig) disturb() {
	go func() { _, _ = r.callOthers() }()
	go func() {
		_ = r.node.Parameters().SetAtomically(ros2.Parameter{Name: table.ParamMaxSpeed, Value: ros2.DoubleValue(6)})
	}()
}

func (r *rig) callOthers() (*std_srvs.TriggerResponse, error) {
	c, err := ros2.NewClient(r.user, std_srvs.Trigger{}, "others")
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c.Call(ctx, &std_srvs.TriggerRequest{})
}

// Nothing that hangs keeps the wheels turning: with each alone and all together, the wheels stop within
// cmd_vel_timeout and a cycle when commands end, and within 100 ms when the program is stopped.
func TestStopsWheelsWhenAnythingHangs(t *testing.T) {
	cases := map[string][]string{"everything": gateNames}
	for _, name := range gateNames {
		cases[name] = []string{name}
	}
	for name, shut := range cases {
		t.Run(name, func(t *testing.T) {
			t.Run("commands end", func(t *testing.T) { testHeld(t, shut, "-p cmd_vel_timeout:=0.3", 350*time.Millisecond, func(*rig) {}) })
			t.Run("the program ends", func(t *testing.T) {
				testHeld(t, shut, "-p cmd_vel_timeout:=0.0", 100*time.Millisecond, func(r *rig) { r.cancel() })
			})
		})
	}
}

func testHeld(t *testing.T, shut []string, args string, within time.Duration, end func(r *rig)) {
	t.Setenv("ROS_HOME", t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		pictures := slices.Contains(shut, "camera")
		if pictures {
			args += fmt.Sprintf(" -p camera.width:=%d -p camera.height:=%d", smallWidth, smallHeight)
		}
		r, all := gatedRig(t, pictures, args)
		time.Sleep(3 * time.Second) // all is up
		r.drive(0.02, 1, 500*time.Millisecond)
		for _, name := range shut {
			all[name].close()
		}
		r.disturb()
		r.drive(0.02, 1, 510*time.Millisecond)
		if r.robot.GroundTruth().RightSpeed == 0 {
			t.Fatal("commands have no effect any more")
		}
		end(r)
		time.Sleep(within)
		r.wantAtRest()
		r.cancel()
		if err := <-r.ended; err != nil && !errors.Is(err, errHelper) {
			t.Errorf("Run gives %v", err)
		}
		r.wantAtRest()
	})
}

// noClose is a bus that another part of the program closes.
type noClose struct{ pi2c.Bus }

func (noClose) Close() error { return nil }

// A transfer of the control loop never returns: the guard stops the wheels through its own bus and logs it.
func TestGuardStopsWheelsWhenLoopHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := &gate{}
		var free pi2c.Bus
		r := newRig(t, rigOptions{
			args: "-p cmd_vel_timeout:=0.0",
			bus: func(b pi2c.Bus) pi2c.Bus {
				free = b
				return gatedBus{b, func(addr uint16) *gate {
					if addr == mcu.Addr {
						return stuck
					}
					return nil
				}}
			},
			config: func(c *Config) { chipsOf(c).OpenBus = func() (pi2c.BusCloser, error) { return noClose{free}, nil } },
		})
		r.drive(0.05, 0, time.Second)
		stuck.close()
		time.Sleep(500 * time.Millisecond)
		r.wantAtRest()
		stuck.open()
		time.Sleep(500 * time.Millisecond)
		r.wantAtRest()
		for _, text := range []string{"control loop hangs", "guard has stopped", "control loop continues"} {
			if n := r.log.count(text); n != 1 {
				t.Errorf("%q is said %d times:\n%v", text, n, r.log)
			}
		}
		r.drive(0.05, 0, 200*time.Millisecond)
		if r.robot.GroundTruth().LeftSpeed == 0 {
			t.Error("commands are not obeyed afterwards")
		}
		r.must(r.end())
	})
}
