// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// command returns a packet for the robot's processor.
func command(left, right int16) []byte {
	c := make([]byte, 20)
	c[0], c[1] = byte(left), byte(uint16(left)>>8)
	c[2], c[3] = byte(right), byte(uint16(right)>>8)
	for _, b := range c[:19] {
		c[19] ^= b
	}
	return c
}

func Example() {
	w, err := sim.LoadWorld("arena")
	if err != nil {
		log.Fatal(err)
	}
	clock := sim.NewClock() // or time.Now and time.Sleep
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Sleep: clock.Sleep, Settled: true})
	if err != nil {
		log.Fatal(err)
	}
	robot, err := sim.RobotOf[*sim.Firmware](s, "epuck")
	if err != nil {
		log.Fatal(err)
	}

	reply := make([]byte, 47)
	if err := robot.Bus().Tx(0x1F, command(500, 500), reply); err != nil {
		log.Fatal(err)
	}
	clock.Sleep(2 * time.Second)
	fmt.Printf("%.2f m at %.3f m/s\n", robot.Pose().X, robot.GroundTruth().V)
	// Output: 0.13 m at 0.063 m/s
}

func ExampleFirmware_Faults() {
	w, _ := sim.LoadWorld("plane")
	s, _ := sim.New(w, sim.Options{})
	robot := sim.RobotsOf[*sim.Firmware](s)[0]

	// The write arrives, the read does not: the driver sees an error although
	// the robot has obeyed, and the firmware drops the next command.
	_ = robot.Faults().Next(vbus.Fault{Kind: vbus.ReadTimeout})
	reply := make([]byte, 47)
	fmt.Println(robot.Bus().Tx(0x1F, command(100, 100), reply))
	// Output: sim:epuck: transfer with 0x1f: connection timed out
}

func ExampleParseWorld() {
	w, err := sim.ParseWorld([]byte(`
arena: {size: [0.6, 0.6]}
boxes: [{name: brick, position: [0.2, 0], size: [0.05, 0.2]}]
robots: [{name: alice}, {name: bob, position: [-0.15, 0]}]
`))
	if err != nil {
		log.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range sim.RobotsOf[*sim.Firmware](s) {
		fmt.Println(r.Bus(), r.Pose().X)
	}
	// Output:
	// sim:alice 0
	// sim:bob -0.15
}

// What `epuck-driver sim --set 'robots[*].imu=icm20948' --set 'robots[*].without=[ground, tof]'` does.
func ExampleEquipment() {
	w, _ := sim.LoadWorld("line")
	parts, _ := sim.ParseParts("ground,tof")
	if err := w.Refit(sim.Equipment{IMU: world.IMUICM20948, Without: parts}); err != nil {
		log.Fatal(err)
	}
	s, _ := sim.New(w, sim.Options{})
	robot := sim.RobotsOf[*sim.Firmware](s)[0]
	id := make([]byte, 1)
	_ = robot.Bus().Tx(0x68, []byte{0x00}, id)
	fmt.Printf("%q, WHO_AM_I %#x\n", robot.Parts(), id)
	// Output: ["imu" "camera" "leds" "battery"], WHO_AM_I 0xea
}

// Nose up gives +x acceleration; a driver sees it in its next reading.
func ExampleFirmware_Tilt() {
	w, _ := sim.LoadWorld("plane")
	clock := sim.NewClock()
	s, _ := sim.New(w, sim.Options{Now: clock.Now, Quiet: true})
	robot := sim.RobotsOf[*sim.Firmware](s)[0]
	_ = robot.Tilt(0, -math.Pi/6) // REP 103: a nose that goes down is positive
	clock.Sleep(100 * time.Millisecond)
	raw := make([]byte, 6)
	_ = robot.Bus().Tx(0x68, []byte{0x3B}, raw)  // an MPU-9250 measures from power-on
	y := int16(binary.BigEndian.Uint16(raw[2:])) // the chip's y points backwards
	fmt.Printf("%.2f g\n", -float64(y)/16384)
	// Output: 0.50 g
}
