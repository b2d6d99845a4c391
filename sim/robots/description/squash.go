// SPDX-License-Identifier: Apache-2.0

package description

import "slices"

// Squash gives the robot with each link that hangs on a fixed joint made part of the link it hangs on, but for those
// that keep wants: shapes, masses, devices and joints move to where they are then. Nothing moves in the world. What is
// merged has no frame of its own any more.
func (r *Robot) Squash(keep func(link string) bool) *Robot {
	out := *r
	out.Links, out.Joints, out.Devices = nil, nil, slices.Clone(r.Devices)
	into := map[string]place{} // of links that are merged
	for i := range r.Joints {
		if j := &r.Joints[i]; j.Kind == Fixed && !keep(j.Child) {
			into[j.Child] = place{j.Parent, j.Origin}
		}
	}
	at := map[string]int{}
	for _, l := range r.Links {
		if _, merged := into[l.Name]; !merged {
			at[l.Name] = len(out.Links)
			out.Links = append(out.Links, Link{
				Name: l.Name, Inertial: l.Inertial, Visuals: slices.Clone(l.Visuals), Collisions: slices.Clone(l.Collisions),
			})
		}
	}
	for i := range r.Links {
		l := &r.Links[i]
		if p := final(into, l.Name); p.link != l.Name {
			out.Links[at[p.link]].absorb(l, p.pose)
		}
	}
	for _, j := range r.Joints {
		if _, merged := into[j.Child]; merged {
			continue
		}
		p := final(into, j.Parent)
		j.Parent, j.Origin = p.link, p.pose.Then(j.Origin)
		out.Joints = append(out.Joints, j)
	}
	for i := range out.Devices {
		d := &out.Devices[i]
		p := final(into, d.Link)
		d.Link, d.Pose = p.link, p.pose.Then(d.Pose)
	}
	return &out
}

// place is where a link has gone.
type place struct {
	link string
	pose Pose
}

// final goes up from a link to one that stays.
func final(into map[string]place, link string) place {
	p := place{link: link}
	for range len(into) {
		up, merged := into[p.link]
		if !merged {
			break
		}
		p = place{up.link, up.pose.Then(p.pose)}
	}
	return p
}

// absorb takes another link's shapes and mass, which are at a pose in this one.
func (l *Link) absorb(other *Link, at Pose) {
	move := func(shapes []Shape) []Shape {
		shapes = slices.Clone(shapes)
		for i := range shapes {
			shapes[i].Pose = at.Then(shapes[i].Pose)
		}
		return shapes
	}
	l.Visuals = append(l.Visuals, move(other.Visuals)...)
	l.Collisions = append(l.Collisions, move(other.Collisions)...)
	if other.Inertial == nil {
		return
	}
	moved := *other.Inertial
	moved.Pose = at.Then(moved.Pose)
	l.Inertial = combine(l.Inertial, &moved)
}
