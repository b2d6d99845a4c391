// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// skeleton is the poses of the links in the root's frame.
type skeleton struct {
	poses []description.Pose // by link
	stale bool               // joints have moved since poses was computed

	order []int          `checkpoint:"-"` // joints, parents before children
	joint map[string]int `checkpoint:"-"`
	link  map[string]int `checkpoint:"-"`
	up    []int          `checkpoint:"-"` // the parent joint of a link, −1 for none
	ready bool           `checkpoint:"-"` // poses has been computed
	count uint64         // how often poses has been computed
}

// build finds the parents of all links, and the joints that move devices.
func (k *skeleton) build(desc *description.Robot, joints []joint) error {
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
	k.poses = make([]description.Pose, len(desc.Links))
	for i := range desc.Devices {
		k.bear(desc, joints, k.link[desc.Devices[i].Link])
	}
	k.settle(desc, joints)
	return nil
}

// bear marks the joints above a link as moving a device.
func (k *skeleton) bear(desc *description.Robot, joints []joint, link int) {
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

// settle computes the poses of all links.
func (k *skeleton) settle(desc *description.Robot, joints []joint) {
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

// link returns the pose of a link in the root's frame.
func (m *Machine) link(i int) description.Pose {
	if m.links.stale || !m.links.ready {
		m.links.settle(m.desc, m.joints)
	}
	return m.links.poses[i]
}
