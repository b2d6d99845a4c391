// SPDX-License-Identifier: Apache-2.0

package driver_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A driver on a simulated robot. On a real one the bus comes from package i2c, and the transport from package rmw.
func Example() {
	world, err := sim.LoadWorld("arena")
	if err != nil {
		log.Fatal(err)
	}
	clock := sim.NewClock()
	simulation, err := sim.New(world, sim.Options{Seed: 1, Now: clock.Now, Sleep: clock.Sleep})
	if err != nil {
		log.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: ros2test.NewTransport()})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	d, err := driver.New(driver.Config{Hardware: &chips.Robot{Bus: sim.RobotsOf[*sim.Firmware](simulation)[0].Bus()}, Node: node})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	if err := d.Step(); err != nil { // or d.Run(ctx), which does it 20 times a second
		log.Fatal(err)
	}
	status := d.Status()
	fmt.Printf("%s at %.2f m, %.2f m, %d bus errors\n", node.FullName(), status.X, status.Y, status.Bus.BusErrorTotal())
	// Output: /epuck_driver at 0.00 m, 0.00 m, 0 bus errors
}

// Run ends with its context, the wheels at rest.
func ExampleDriver_Run() {
	world, err := sim.LoadWorld("plane")
	if err != nil {
		log.Fatal(err)
	}
	simulation, err := sim.New(world, sim.Options{})
	if err != nil {
		log.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: ros2test.NewTransport()})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	d, err := driver.New(driver.Config{Hardware: &chips.Robot{Bus: sim.RobotsOf[*sim.Firmware](simulation)[0].Bus()}, Node: node})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // in a program: when the user presses Ctrl-C
	fmt.Println(d.Run(ctx))
	// Output: <nil>
}

// The topics, parameters, services and conditions are tables; the documents, the default parameter file and the shells'
// completion come from them.
func ExampleTopics() {
	for _, t := range table.Topics() {
		if t.Direction == table.Subscribed {
			fmt.Println(t.Names()[0], t.Type)
		}
	}
	// Output:
	// cmd_vel geometry_msgs/msg/Twist
	// joint_commands sensor_msgs/msg/JointState
	// led0 std_msgs/msg/Int32
	// led1 std_msgs/msg/Int32
	// speaker std_msgs/msg/UInt8
	// pi_led0 std_msgs/msg/Int32
}

// What can be wrong with a robot is a table, too; /diagnostics shows what of it is so.
func ExampleConditions() {
	for _, c := range health.Conditions() {
		if c.Status == "tof" {
			fmt.Printf("%s (%v): %s\n", c.Code, c.Severity, c.Text)
		}
	}
	// Output:
	// tof.lost (error): it was present and does not answer any more
	// tof.failing (warning): more than a tenth of its polls fail
	// tof.slow (warning): it occupies the bus too long and is polled less often
}

// The optional parts of a robot are found while it runs.
func ExampleDriver_Status() {
	clock := ros2.NewManualClock(time.Unix(1_700_000_000, 0))
	world, err := sim.LoadWorld("plane")
	if err != nil {
		log.Fatal(err)
	}
	simulation, err := sim.New(world, sim.Options{Now: clock.Now})
	if err != nil {
		log.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: ros2test.NewTransport(), Clock: clock, Logger: quiet})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	robot := sim.RobotsOf[*sim.Firmware](simulation)[0]
	d, err := driver.New(driver.Config{Hardware: &chips.Robot{Bus: robot.Bus(), BoardBus: robot.BoardBus(), Files: robot.BatteryFS()}, Node: node})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	for range 100 {
		clock.Advance(50 * time.Millisecond)
		if err := d.Step(); err != nil {
			log.Fatal(err)
		}
	}
	for _, p := range d.Status().Parts {
		fmt.Println(p.Name, p.State)
	}
	// Output:
	// imu running
	// tof running
	// ground running
	// camera_sensor running
	// imu_mag running
	// leds running
	// mag absent
	// battery running
}
