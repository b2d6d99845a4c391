// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// A TurtleBot3 drives through a world for two seconds and measures distances.
func Example() {
	w, err := sim.ParseWorld([]byte("arena: {size: [2, 2]}\nrobots: [{name: burger, model: turtlebot3_burger, position: [0, 0]}]"))
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now, Quiet: true, Mechanisms: machine.Maker(library.Parse, library.Load)})
	if err != nil {
		fmt.Println(err)
		return
	}
	burger := sim.RobotsOf[*sim.Articulated](s)[0]
	burger.Do(func(g sim.Mechanism) {
		robot := machine.Devices(g.(*machine.Machine))
		for i, j := range robot.Description().Joints {
			if j.Name == "wheel_left_joint" || j.Name == "wheel_right_joint" {
				robot.SetVelocity(i, 3)
			}
		}
	})
	clock.Sleep(2 * time.Second)
	fmt.Printf("x = %.3f m\n", burger.Pose().X)
	// Output: x = 0.198 m
}

// A second robot is added to the running world and moved; then the state of both is printed.
func ExampleMachine() {
	w, err := sim.ParseWorld([]byte("arena: {size: [2, 2]}\nrobots: [{name: burger, model: turtlebot3_burger, position: [0, 0]}]"))
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now, Quiet: true, Mechanisms: machine.Maker(library.Parse, library.Load)})
	if err != nil {
		fmt.Println(err)
		return
	}
	thymio, err := s.Spawn(world.Robot{Name: "thymio", Model: "thymio2", Position: world.Point{0.5, 0.5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(thymio.Place(sim.Pose{}) != nil, thymio.Place(sim.Pose{X: -0.5}))
	sim.RobotsOf[*sim.Articulated](s)[0].Do(func(g sim.Mechanism) {
		m := g.(*machine.Machine)
		for _, row := range m.Wheels() {
			m.SetVelocity(row[0], -3)
		}
	})
	clock.Sleep(5 * time.Second)
	sim.RobotsOf[*sim.Articulated](s)[0].Do(func(g sim.Mechanism) {
		m := g.(*machine.Machine)
		v, _ := m.Twist()
		fmt.Printf("contact: %v, still: %v, ", m.Contact(), v > -1e-3)
		for i := range m.Description().Devices {
			fmt.Print(m.Description().Devices[i].Kind, " ", machine.Values(&m.Description().Devices[i]), " ")
		}
		fmt.Println(thymio.Level())
	})
	// Output:
	// true <nil>
	// contact: true, still: true, imu 9 magnetometer 3 battery 1 lidar 360 described
}
