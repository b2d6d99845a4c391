// SPDX-License-Identifier: Apache-2.0

// Package simulate implements the command sim and those below it: a driver on one simulated robot, many robots as
// nodes, robots without a network, device files and radios.
package simulate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simclient"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/timesources"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/web"
)

// simOptions are the options of sim.
type simOptions struct {
	ros     ros2.Args
	rosLine []string // the rules of ros as text, without the names
	on      network.Choice
	world   string
	// worldGiven: the world is set on the command line.
	worldGiven bool
	equipmentOptions
	wrong         wrongOptions
	set           []string // of the command line: KEY=VALUE
	settings      []string // those of set that are fields of the world
	settingsOf    string   // the world that settings apply to
	seed          uint64
	duration      time.Duration
	device, board int    // numbers of device files, noDevice for none
	truth         string // file of the ground truth
	node          bool   // also run the driver, with device files
	snapshot      string // file for one picture, instead of a run
	swarm         swarmOptions
	controller    controllerOptions
	traci         timesources.TraCI
	webots        timesources.Webots
	wifi          string // address of the robots' own radio; empty: none
	lock          lockstepOptions
	order         orderOptions
	standard      network.Interfaces // whose types the simulation's services have
	site          page.Site          // the page for browsers
	left          func()             // called when a robot has left the network; may be nil
	worldChange
}

func (o *simOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.world, "world", "arena", "world `FILE`, or a built-in world,\none of "+strings.Join(sim.ExampleWorlds(), ", "))
	f.StringArrayVar(&o.set, "set", nil, "another value for a field of the world, `KEY=VALUE`,\n"+
		"as in 'robots[0].level=functional', 'robots[*].imu=none' or 'arena.size=[2, 1]', or for a setting on these pages; may be repeated")
	f.Uint64Var(&o.seed, "seed", 1, "seed of all noise and faults")
	o.equipmentFlags(f)
	o.wrong.flags(f)
	f.DurationVar(&o.duration, "for", 0, "end after this time, as in 10s; 0: no such end")
	f.IntVar(&o.device, "i2c-device", noDevice, "make the robot's bus /dev/i2c-`N` for any program, instead of running the driver\n"+
		"(root, kernel module cuse); -1 is none")
	f.IntVar(&o.board, "i2c-board-device", noDevice, "make the Pi-puck board's bus /dev/i2c-`N`, too; -1 is none")
	f.StringVar(&o.truth, "truth", "", "write what the robot really does to this JSON `FILE`; of several\n"+
		"robots a file each, with -NAME before its ending")
	f.BoolVar(&o.node, "node", false, "with --i2c-device: run the driver as well")
	o.swarm.flags(f)
	o.controller.flags(f)
	o.traci.Flags(f)
	o.webots.Flags(f)
	f.StringVar(&o.wifi, "wifi", "", "no driver: let any program drive the robots by their own Wi-Fi protocol, the first one at `HOST:PORT`,\nthe others at the ports behind it")
	frame.OptionalAddress(f, "wifi", wifiDefault)
	o.lock.flags(f)
	o.order.flags(f)
	f.StringVar(&o.snapshot, "snapshot", "", "write what the robot's camera shows to this PNG `FILE`, and end")
	o.standard.Flags(f)
	o.site.Flags(f, web.DefaultAddress)
	o.worldFlags(f)
}

// check returns an error for flags that exclude each other.
func (o *simOptions) check() error {
	if o.device < 0 && (o.board >= 0 || o.node) {
		return frame.Usagef("--i2c-board-device and --node go with --i2c-device")
	}
	if o.wrong.like != "" && (o.device >= 0 || o.snapshot != "" || o.wifi != "" || o.controller.name != "") {
		return frame.Usagef("--like doesn't go with --i2c-device, --snapshot, --wifi and --controller: it needs a driver")
	}
	if o.device >= 0 && o.device == o.board {
		return frame.Usagef("two buses can't both be /dev/i2c-%d", o.device)
	}
	return errors.Join(o.swarm.check(o.device >= 0), o.controller.check(o.duration, o.traci.Wanted() || o.traci.Port != 0), o.traci.Check(o.device >= 0 || o.snapshot != "" || o.swarm.speedText != "1"),
		o.checkWebots(), o.lock.check(o.settings), o.order.check(o), o.checkWifi())
}

// checkWebots returns an error for flags that exclude --webots, which needs robots of level functional.
func (o *simOptions) checkWebots() error {
	others := o.traci.Wanted() || o.device >= 0 || o.controller.name != "" || o.snapshot != "" || o.swarm.speedText != "1"
	if err := o.webots.Check(others, o.swarm.level); err != nil {
		return err
	}
	if o.webots.Wanted() {
		o.swarm.level = world.LevelFunctional
	}
	return nil
}

// held reports whether the time source is not the clock.
func (o *simOptions) held() bool {
	return o.traci.Wanted() || o.webots.Wanted() || o.order.wanted()
}

// run runs the simulation with the options.
func (o *simOptions) run(ctx context.Context, s frame.Streams) error {
	if err := o.checkFiles(); err != nil {
		return err
	}
	o.world = cmp.Or(o.traci.File, o.world)
	o.settingsOf = o.world
	world, err := o.firstWorld()
	if err != nil {
		return err
	}
	if err := errors.Join(o.swarm.populate(world, o.seed), o.charge(world)); err != nil {
		return err
	}
	if err := o.wrong.fit(world, o.seed); err != nil {
		return err
	}
	o.wrong.describe(s.Out)
	if o.wifi != "" {
		return o.radio(ctx, s, world)
	}
	if o.controller.name != "" {
		if o.truth != "" {
			return frame.Usagef("--truth doesn't go with --controller, which drives many robots: --trace or --report have their poses")
		}
		return o.controlled(ctx, s, world)
	}
	switch {
	case o.snapshot != "":
		return o.photograph(s, world)
	case o.device >= 0:
		return o.plugged(ctx, s, world)
	case os.Getenv(realTimeLoop) != "" && !o.swarm.several(world) && !o.held():
		return o.looped(ctx, s, world)
	}
	return o.networked(ctx, s, world)
}

// realTime creates a simulation on the machine's clock.
func realTime(w *sim.World, seed uint64) (*sim.Simulation, error) {
	return sim.New(w, sim.Options{Seed: seed, Now: time.Now, Sleep: time.Sleep, Trace: true})
}

// first returns the first robot of a simulation that has a driver; the error names the world.
func first(s *sim.Simulation, world string) (drivenRobot, error) {
	driven := sim.RobotsOf[drivenRobot](s)
	if len(driven) == 0 {
		return nil, frame.Usagef("this needs a robot of the level firmware, and world %q has none", world)
	}
	return driven[0], nil
}

// looped runs the driver of a world's only robot as on a robot: its loop waits on the machine's clock. Only tests of
// that loop, its guard and its goroutines use it.
func (o *simOptions) looped(ctx context.Context, s frame.Streams, world *sim.World) error {
	simulation, err := realTime(world, o.seed)
	if err != nil {
		return err
	}
	robot, err := first(simulation, o.world)
	if err != nil {
		return err
	}
	run := func(ctx context.Context) error { return o.service(world, simulation, nil, s).Run(ctx, s) }
	return withTruth(ctx, robot, o.truth, nil, run)
}

// photograph writes a frame of the robot's camera.
func (o *simOptions) photograph(s frame.Streams, world *sim.World) error {
	clock := sim.NewClock()
	simulation, err := sim.New(world, sim.Options{Seed: o.seed, Now: clock.Now, Sleep: clock.Sleep, Wait: clock.Wait, Mechanisms: o.swarm.model.mechanisms()})
	if err != nil {
		return err
	}
	robots := sim.RobotsOf[hardware.Photographer](simulation)
	if len(robots) == 0 {
		return frame.Usagef("--snapshot needs an e-puck2, and world %q has none: a described robot's camera is a topic of its node", o.world)
	}
	robot := robots[0]
	if err := hardware.Snapshot(robot, o.snapshot); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "Wrote %s: what the camera of robot %q in world %q shows, 640×480.\n", o.snapshot, robot.Name(), o.world)
	return err
}

// plugged serves the robot's buses as device files for any program, with transfers at the time of the world.
func (o *simOptions) plugged(ctx context.Context, s frame.Streams, world *sim.World) error {
	simulation, passing, err := o.deviceWorld(world, o.log(s))
	if err != nil {
		return err
	}
	robot, err := first(simulation, o.world)
	if err != nil {
		return err
	}
	devices := newSockets(robot, o.device, o.board, o.log(s))
	work := func(ctx context.Context) error {
		if err := deviceBanner(s.Out, o.world, robot.Name(), o.device, o.board); err != nil {
			return err
		}
		if o.node {
			return o.service(world, simulation, passing, s).Run(ctx, s)
		}
		return serveDevices(ctx, passing, o.duration)
	}
	return devices.offer(ctx, func(ctx context.Context) error { return withTruth(ctx, robot, o.truth, devices.paths, work) })
}

// log returns the logger of the simulation.
func (o *simOptions) log(s frame.Streams) *slog.Logger {
	return o.ros.Logger(slog.New(tty.NewConsole(s.Err)), simLogger)
}

// service returns the driver of the simulated robot of a world without a fleet: with device files, with the driver's
// own loop, or in the program for ARMv6. passing is the time of the world, nil for the machine's.
func (o *simOptions) service(world *sim.World, simulation *sim.Simulation, passing service.WorldTime, s frame.Streams) service.Service {
	robot := sim.RobotsOf[drivenRobot](simulation)[0]
	sv := service.Service{
		Args: o.ros, On: o.on, Duration: o.duration, Site: o.site, Time: passing,
		Facts: o.facts(),
		Trace: traceOf(simulation),
		Stage: func(n *ros2.Node, t ros2.Transport) (func() error, error) {
			return o.stage(world, simulation, passing, n, t)
		},
		Open: func(*ros2.Node, *slog.Logger) (hardware.Parts, error) { return o.hardwareOf(robot) },
		Ready: func(n *ros2.Node, _ *driver.Driver) error {
			banner, err := simBanner(o.world, o.seed, robot.Name(), n)
			if err != nil {
				return err
			}
			_, err = io.WriteString(s.Out, banner)
			return err
		},
	}
	return sv
}

// drivenRobot is a simulated robot with the driver of real ones; it can have faults.
type drivenRobot interface {
	sim.Robot
	hardware.Chips
	SetCharge(share float64) error
}

// hardwareOf returns the hardware of a robot with its faults.
func (o *simOptions) hardwareOf(r drivenRobot) (hardware.Parts, error) {
	bus, board, err := o.wrong.buses(r)
	if err != nil {
		return hardware.Parts{}, err
	}
	return hardware.Simulated(r, bus, board)
}

// facts returns the facts of the run for recordings.
func (o *simOptions) facts() blackbox.Facts {
	return blackbox.Facts{Simulated: true, World: o.world, Seed: o.seed}
}

// traceOf returns the trace of a simulation.
func traceOf(s *sim.Simulation) blackbox.Trace {
	return func() ([sha256.Size]byte, time.Duration) { return s.TraceHash(), s.Elapsed() }
}

// stage creates a node that shows the world to viewers, who can move the robot.
func (o *simOptions) stage(world *sim.World, simulation *sim.Simulation, passing service.WorldTime, driver *ros2.Node, t ros2.Transport) (stop func() error, err error) {
	node, err := ros2.NewNode(ros2.NodeConfig{Name: simclient.SimulationNode, Namespace: driver.Name().Namespace, Transport: t, Clock: driver.Clock(), Logger: driver.Logger(), Standard: true})
	if err != nil {
		return nil, err
	}
	view, err := groundtruth.New(groundtruth.Config{
		Node: node, Paused: isPaused(passing), World: world, Simulation: simulation, Robots: map[string]groundtruth.Robot{driver.Name().Namespace: sim.RobotsOf[drivenRobot](simulation)[0]},
	})
	if err != nil {
		return nil, errors.Join(err, node.Close())
	}
	unhost, err := o.hostAlone(node, simulation, passing)
	if err != nil {
		return nil, errors.Join(err, view.Close(), node.Close())
	}
	return func() error { return errors.Join(unhost(), view.Close(), node.Close()) }, nil
}

// firstWorld returns the world of the command line: that of --net-file unless another is set.
func (o *simOptions) firstWorld() (*sim.World, error) {
	if o.traci.NetFile == "" || o.worldGiven || o.traci.File != "" {
		return loadWorld(o.world, o.imu, o.without, o.settings)
	}
	o.world, o.swarm.placed = o.traci.NetFile, true
	world, err := o.traci.World(max(1, o.swarm.robots), o.settings)
	if err != nil {
		return nil, err
	}
	return world, refit(world, o.imu, o.without)
}

// loadWorld loads a world with settings for some fields, and applies the robots' options.
func loadWorld(name, imu, without string, settings []string) (*sim.World, error) {
	world, err := sim.LoadWorld(name, settings...)
	if near := suggest.Near(name, sim.ExampleWorlds()); errors.Is(err, sim.ErrUnknownWorld) && len(near) > 0 {
		return nil, fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	if err != nil {
		return nil, err
	}
	return world, refit(world, imu, without)
}

// refit applies the robots' options of the command line.
func refit(world *sim.World, imu, without string) error {
	parts, err := sim.ParseParts(without)
	if err != nil {
		return frame.Usagef("--without: %v", err)
	}
	if err := world.Refit(sim.Equipment{IMU: imu, Without: parts}); err != nil {
		return frame.Usagef("%v", err)
	}
	return nil
}

// simBanner returns the start message: the robot, its topics, and commands to drive it.
func simBanner(world string, seed uint64, robot string, n *ros2.Node) (string, error) {
	cmdVel, err := n.ResolveName("cmd_vel")
	if err != nil {
		return "", err
	}
	odom, err := n.ResolveName("odom")
	if err != nil {
		return "", err
	}
	picture, err := n.ResolveName("image_raw")
	if err != nil {
		return "", err
	}
	again := ""
	if namespace := n.Name().Namespace; namespace != "/" {
		again = " --ros-args -r __ns:=" + namespace
	}
	return fmt.Sprintf(`Simulated robot %q in world %q (seed %d) is node %s.
  publishes  %s
  listens to %s
Drive it from another shell:
  %s drive 0.05 0.5 --for 4s%s
or from any ROS 2 machine of this network and domain:
  ros2 topic echo %s
  ros2 run rqt_image_view rqt_image_view %s
  ros2 topic pub -r 10 %s geometry_msgs/msg/Twist '{linear: {x: 0.05}, angular: {z: 0.5}}'
Ctrl-C stops the wheels and ends it.
`, robot, world, seed, n.FullName(), topicNames(table.Published), topicNames(table.Subscribed),
		os.Args[0], again, odom, picture, cmdVel), nil
}

// topicNames lists the topics of one direction in a line; families are abbreviated.
func topicNames(d table.Direction) string {
	var names []string
	for _, t := range table.Topics() {
		if t.Direction != d {
			continue
		}
		names = append(names, t.Name+numbers(t.Numbers))
	}
	return strings.Join(names, " ")
}

// numbers formats the numbers of a family of topics: 0…7, or 0,2,4,6.
func numbers(of []int) string {
	n := len(of)
	if n > 1 && of[n-1]-of[0] == n-1 {
		return fmt.Sprintf("%d…%d", of[0], of[n-1])
	}
	var b strings.Builder
	for i, v := range of {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(v))
	}
	return b.String()
}
