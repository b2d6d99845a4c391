// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// proto is what Webots' own PROTO of a robot has for ours: controllers that were written for it find their devices.
type proto struct {
	model string
	radio bool // it has an emitter and a receiver
	// names of devices by those of the description; of a joint's motor by the joint's, of its sensor by that and
	// "_sensor".
	names map[string]string
}

// wheelsNamed are the names of the wheels in most PROTOs.
func wheelsNamed(left, right string) map[string]string {
	return map[string]string{
		left: "left wheel motor", left + "_sensor": "left wheel sensor", right: "right wheel motor", right + "_sensor": "right wheel sensor",
	}
}

// protoOf finds the PROTO by the name of a description.
func protoOf(desc *description.Robot) (p proto) {
	switch desc.Name {
	case "epuck2":
		return proto{model: "GCtronic e-puck2", radio: true, names: wheelsNamed("left_wheel_joint", "right_wheel_joint")}
	case "epuck":
		return proto{model: "GCtronic e-puck", radio: true, names: wheelsNamed("left_wheel_joint", "right_wheel_joint")}
	case "khepera4":
		return kheperaNames()
	case "turtlebot3_burger":
		p = proto{model: "TurtleBot3 Burger", names: wheelsNamed("wheel_left_joint", "wheel_right_joint")}
		p.names["scan"], p.names["magnetic_field"] = "LDS-01", "compass"
		return p
	case "thymio2":
		p = proto{model: "Thymio II", names: map[string]string{
			"left_wheel_joint": "motor.left", "left_wheel_joint_sensor": "motor.left.position",
			"right_wheel_joint": "motor.right", "right_wheel_joint_sensor": "motor.right.position",
		}}
		for i := range 7 {
			p.names[fmt.Sprintf("prox%d", i)] = fmt.Sprintf("prox.horizontal.%d", i)
		}
		for i := range 2 {
			p.names[fmt.Sprintf("ground%d", i)] = fmt.Sprintf("prox.ground.%d", i)
		}
		return p
	}
	return proto{model: desc.Name}
}

// kheperaNames are those of a Khepera IV.
func kheperaNames() proto {
	p := proto{model: "Khepera IV", radio: true, names: wheelsNamed("left_wheel_joint", "right_wheel_joint")}
	for prefix, list := range map[string][]string{
		"ir": {
			"rear left infrared sensor", "left infrared sensor", "front left infrared sensor", "front infrared sensor",
			"front right infrared sensor", "right infrared sensor", "rear right infrared sensor", "rear infrared sensor",
		},
		"ground": {
			"ground left infrared sensor", "ground front left infrared sensor", "ground front right infrared sensor", "ground right infrared sensor",
		},
		"us": {
			"left ultrasonic sensor", "front left ultrasonic sensor", "front ultrasonic sensor", "front right ultrasonic sensor",
			"right ultrasonic sensor",
		},
		"led": {"front left led", "front right led", "rear led"},
	} {
		for i, name := range list {
			p.names[fmt.Sprintf("%s%d", prefix, i)] = name
		}
	}
	return p
}

// called is what a device of a description is named here: as in Webots' PROTO if that is known, and no name twice.
func (r *described) called(name string) string {
	if known, ok := r.proto.names[name]; ok {
		name = known
	}
	free := name
	for n := 2; r.taken[free]; n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	r.taken[free] = true
	return free
}
