// SPDX-License-Identifier: Apache-2.0

package description

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// focal is the focal length of a picture, pixels.
func focal(width int, angle float64) float64 { return float64(width) / (2 * math.Tan(angle/2)) }

// Root is the link that no joint holds. The error matches [ErrTree].
func (r *Robot) Root() (string, error) {
	held := map[string]bool{}
	for i := range r.Joints {
		held[r.Joints[i].Child] = true
	}
	root := ""
	for i := range r.Links {
		name := r.Links[i].Name
		switch {
		case held[name]:
		case root != "":
			return "", fmt.Errorf("%w: robot %q: both %q and %q hang on nothing", ErrTree, r.Name, root, name)
		default:
			root = name
		}
	}
	if root == "" {
		return "", fmt.Errorf("%w: robot %q: no link is the first: %d links in a circle", ErrTree, r.Name, len(r.Links))
	}
	return root, nil
}

// At is where the child is in the parent with the joint at a position, rad or m.
func (j *Joint) At(position float64) Pose {
	switch j.Kind {
	case Continuous, Revolute:
		return j.Origin.Then(FromAxis(r3.Vec{}, j.Axis, position))
	case Prismatic:
		return j.Origin.Then(Pose{Position: scale(position, j.Axis)})
	default:
		return j.Origin
	}
}

// Transforms gives where each link is in the root, with the joints at these positions, rad or m; those that are not
// named are at 0. It fails if the robot has no joint of such a name that moves (the error names it), and with [ErrTree]
// for a robot that is no tree.
func (r *Robot) Transforms(positions map[string]float64) (map[string]Pose, error) {
	joints := map[string]*Joint{}
	below := map[string][]*Joint{}
	for i := range r.Joints {
		j := &r.Joints[i]
		joints[j.Name] = j
		below[j.Parent] = append(below[j.Parent], j)
	}
	for name := range positions {
		if j := joints[name]; j == nil || !j.Moves() {
			return nil, fmt.Errorf("%w: robot %q has no joint %q that moves", errUnknown, r.Name, name)
		}
	}
	root, err := r.Root()
	if err != nil {
		return nil, err
	}
	poses := map[string]Pose{root: {}}
	for todo := []string{root}; len(todo) > 0; todo = todo[1:] {
		for _, j := range below[todo[0]] {
			if _, twice := poses[j.Child]; twice {
				return nil, fmt.Errorf("%w: robot %q: link %q hangs on two joints, %q is one", ErrTree, r.Name, j.Child, j.Name)
			}
			poses[j.Child] = poses[todo[0]].Then(j.At(position(j, joints, positions)))
			todo = append(todo, j.Child)
		}
	}
	return poses, nil
}

// position is that of a joint, or of the one that it follows. A chain of those ends after as many as there are.
func position(j *Joint, joints map[string]*Joint, positions map[string]float64) float64 {
	factor, sum := 1.0, 0.0
	for range len(joints) {
		if j.Mimic == nil || joints[j.Mimic.Joint] == nil {
			break
		}
		sum += float64(factor * j.Mimic.Offset)
		factor *= j.Mimic.Multiplier
		j = joints[j.Mimic.Joint]
	}
	return sum + float64(factor*positions[j.Name])
}
