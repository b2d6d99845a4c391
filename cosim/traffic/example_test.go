// SPDX-License-Identifier: Apache-2.0

package traffic_test

import (
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traffic"
)

// A vehicle accelerates as far as its lane allows, and keeps its distance from one that is parked.
func Example() {
	text, err := os.ReadFile("../traci/testdata/cross/cross.net.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := lanes.Parse("cross.net.xml", text)
	if err != nil {
		fmt.Println(err)
		return
	}
	cars := traffic.New(network, func(l *lanes.Link) byte { return l.State })
	lane := network.Lane("ep_0")
	parked := traffic.NewCar("parked", lane, 1, []*lanes.Edge{lane.Edge})
	parked.Length, parked.Idle = 0.07, true
	c := traffic.NewCar("c", lane, 0.1, []*lanes.Edge{lane.Edge})
	c.Length, c.Track = 0.07, 0.053
	cars.Add(parked)
	cars.Add(c)
	const period = 50 * time.Millisecond
	for now := period; now <= 20*time.Second; now += period {
		cars.Step(now)
		c.Pose.Y, c.Speed = c.Pose.Y+float64(c.Forward*period.Seconds()), c.Forward // it drives north
		if now == 2*time.Second {
			fmt.Printf("%.2f m/s\n", c.Speed)
		}
	}
	_, gap := cars.Leader(c, 1)
	fmt.Printf("%.2f m/s, %.2f m behind\n", c.Speed, gap)
	// Output:
	// 0.12 m/s
	// 0.00 m/s, 0.03 m behind
}
