// SPDX-License-Identifier: Apache-2.0

package description

import "slices"

// Prefixed returns the robot with a prefix before the names of all its links and joints, as several robots in one tree
// of transforms need it; the names of the robot, its devices and topics stay. What it does not change is shared with r.
func (r *Robot) Prefixed(prefix string) *Robot {
	c := *r
	c.Links, c.Joints, c.Devices = slices.Clone(r.Links), slices.Clone(r.Joints), slices.Clone(r.Devices)
	with := func(name string) string {
		if name == "" {
			return ""
		}
		return prefix + name
	}
	for i := range c.Links {
		c.Links[i].Name = with(c.Links[i].Name)
	}
	for i := range c.Joints {
		j := &c.Joints[i]
		j.Name, j.Parent, j.Child = with(j.Name), with(j.Parent), with(j.Child)
		if j.Mimic != nil {
			mimic := *j.Mimic
			mimic.Joint = with(mimic.Joint)
			j.Mimic = &mimic
		}
	}
	for i := range c.Devices {
		c.Devices[i].Link, c.Devices[i].Joint = with(c.Devices[i].Link), with(c.Devices[i].Joint)
	}
	if r.Drive != nil {
		drive := *r.Drive
		drive.Left, drive.Right = slices.Clone(drive.Left), slices.Clone(drive.Right)
		for _, side := range [][]string{drive.Left, drive.Right} {
			for i := range side {
				side[i] = with(side[i])
			}
		}
		c.Drive = &drive
	}
	return &c
}
