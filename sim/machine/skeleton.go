// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// skeleton is where the links are in the root.
type skeleton struct {
	poses []robots.Pose // by link; that of the root is none
	stale bool          // joints have moved since

	order []int          `checkpoint:"-"` // joints, parents before children
	joint map[string]int `checkpoint:"-"`
	link  map[string]int `checkpoint:"-"`
	up    []int          `checkpoint:"-"` // the joint that holds a link, −1: none
	ready bool           `checkpoint:"-"` // poses are of these joints
	count uint64         // how often they have been computed
}

// build finds out what hangs on what, and which joints move devices.
func (k *skeleton) build(desc *robots.Robot, joints []joint) error {
	k.joint, k.link = make(map[string]int, len(desc.Joints)), make(map[string]int, len(desc.Links))
	for i := range desc.Links {
		k.link[desc.Links[i].Name] = i
	}
	k.up = make([]int, len(desc.Links))
	for i := range k.up {
		k.up[i] = -1
	}
	below := make([][]int, len(desc.Links))
	for i := range desc.Joints {
		j := &desc.Joints[i]
		k.joint[j.Name] = i
		k.up[k.link[j.Child]] = i
		below[k.link[j.Parent]] = append(below[k.link[j.Parent]], i)
	}
	root, err := desc.Root()
	if err != nil {
		return err
	}
	for todo := []int{k.link[root]}; len(todo) > 0; todo = todo[1:] {
		for _, i := range below[todo[0]] {
			k.order = append(k.order, i)
			todo = append(todo, k.link[desc.Joints[i].Child])
		}
	}
	k.poses = make([]robots.Pose, len(desc.Links))
	for i := range desc.Devices {
		k.bear(desc, joints, k.link[desc.Devices[i].Link])
	}
	k.settle(desc, joints)
	return nil
}

// bear notes that the joints above a link move a device.
func (k *skeleton) bear(desc *robots.Robot, joints []joint, link int) {
	for i := k.up[link]; i >= 0; i = k.up[k.link[desc.Joints[i].Parent]] {
		moving := i
		for range len(joints) {
			if m := desc.Joints[moving].Mimic; m != nil {
				moving = k.joint[m.Joint]
			}
		}
		joints[moving].bears = true
	}
}

// settle computes where all links are.
func (k *skeleton) settle(desc *robots.Robot, joints []joint) {
	for _, i := range k.order {
		d := &desc.Joints[i]
		at := joints[i].position
		if d.Mimic != nil {
			at = (&Machine{desc: desc, joints: joints, links: *k}).mimicked(i).Position
		}
		k.poses[k.link[d.Child]] = k.poses[k.link[d.Parent]].Then(d.At(at))
	}
	k.stale, k.ready = false, true
	k.count++
}

// link gives where a link is in the root.
func (m *Machine) link(i int) robots.Pose {
	if m.links.stale || !m.links.ready {
		m.links.settle(m.desc, m.joints)
	}
	return m.links.poses[i]
}
