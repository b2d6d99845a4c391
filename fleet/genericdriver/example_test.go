// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// scout is a robot of a box on two wheels that looks ahead and has a lamp.
const scout = `<robot name="scout">
  <link name="base_link">
    <inertial><mass value="0.5"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.14 0.12 0.06"/></geometry></collision>
  </link>
  <link name="left_wheel"/>
  <joint name="left" type="continuous"><parent link="base_link"/><child link="left_wheel"/><origin xyz="0 0.07 0.03"/><axis xyz="0 1 0"/></joint>
  <link name="right_wheel"/>
  <joint name="right" type="continuous"><parent link="base_link"/><child link="right_wheel"/><origin xyz="0 -0.07 0.03"/><axis xyz="0 1 0"/></joint>
  <link name="nose"/>
  <joint name="nose_joint" type="fixed"><parent link="base_link"/><child link="nose"/><origin xyz="0.07 0 0.05"/></joint>
  <gazebo reference="nose">
    <sensor name="ahead" type="custom" gz:type="infrared"><update_rate>20</update_rate><range><min>0.02</min><max>1</max></range><rays>1</rays></sensor>
    <sensor name="lamp" type="custom" gz:type="led"/>
  </gazebo>
  <gazebo><plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
    <left_joint>left</left_joint><right_joint>right</right_joint><wheel_separation>0.14</wheel_separation><wheel_radius>0.03</wheel_radius>
    <max_linear_velocity>0.4</max_linear_velocity>
  </plugin></gazebo>
</robot>`

// A new robot: its description, and a device of its own that says how fast it may drive towards what is ahead.
func Example() {
	desc, err := library.Parse("scout.urdf", []byte(scout))
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := sim.ParseWorld([]byte("arena: {size: [2, 2]}\nrobots: [{name: scout, model: scout, position: [0, 0]}]"))
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := sim.NewClock()
	load := func(string) (*description.Robot, error) { return desc, nil }
	s, err := sim.New(w, sim.Options{Now: clock.Now, Quiet: true, Mechanisms: machine.Maker(library.Parse, load)})
	if err != nil {
		fmt.Println(err)
		return
	}
	network := ros2test.NewNetwork()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "scout", Transport: network.NewTransport()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	settings, err := genericdriver.ParseFile([]byte("devices: {safe_speed: {update_rate: 50}}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	driver, err := genericdriver.New(genericdriver.Config{
		Node: node, Robot: genericdriver.OfArticulated(sim.RobotsOf[*sim.Articulated](s)[0]),
		Own: map[string]genericdriver.Maker{"safe_speed": safeSpeed}, File: settings,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer driver.Close()
	var odometry nav_msgs.Odometry
	var safe std_msgs.Float64
	keep(ros2.NewSubscription(node, "odom", ros2.DefaultQoS(), func(m *nav_msgs.Odometry, _ ros2.MessageInfo) { odometry = *m }))
	keep(ros2.NewSubscription(node, "safe_speed", ros2.DefaultQoS(), func(m *std_msgs.Float64, _ ros2.MessageInfo) { safe = *m }))
	command, err := ros2.NewPublisher[geometry_msgs.Twist](node, "cmd_vel", ros2.DefaultQoS())
	if err != nil {
		fmt.Println(err)
		return
	}
	for tick := range 200 {
		if tick%10 == 0 {
			keep(command, command.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.2}}))
		}
		clock.Sleep(10 * time.Millisecond)
		keep(driver, driver.Step(clock.Now()))
	}
	fmt.Printf("after 2 s: x = %.1f m, %.2f m/s are safe\n", odometry.Pose.Pose.Position.X, safe.Data)
	// Output: after 2 s: x = 0.4 m, 0.27 m/s are safe
}

// safeSpeed is a device of the scout's own: half of the distance ahead, a second.
func safeSpeed(c *genericdriver.Context) (genericdriver.Component, error) {
	return genericdriver.Offer(c, c.Settings.Topic, func(m *std_msgs.Float64, d machine.Devices, _ time.Time) bool {
		for i, device := range d.Description().Devices {
			if device.Name == "ahead" {
				m.Data = math.Min(0.4, d.Measure(i, nil)[0]/2)
			}
		}
		return true
	})
}

func keep(_ any, err error) {
	if err != nil {
		fmt.Println(err)
	}
}
