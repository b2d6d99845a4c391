// SPDX-License-Identifier: Apache-2.0

package node

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// poseHistory is how long poses are kept.
const poseHistory = 2 * time.Second

// poses are the latest poses of odometry.
type poses struct {
	list []stamped // in order of time
}

type stamped struct {
	at   time.Time
	pose mapping.Pose
}

// add stores a pose. A time that is not after the last one means that the clock was set back: all stored poses are
// dropped.
func (p *poses) add(at time.Time, pose mapping.Pose) {
	if n := len(p.list); n > 0 && !at.After(p.list[n-1].at) {
		p.list = p.list[:0]
	}
	p.list = append(p.list, stamped{at, pose})
	old := 0
	for old < len(p.list)-2 && at.Sub(p.list[old].at) > poseHistory {
		old++
	}
	p.list = append(p.list[:0], p.list[old:]...)
}

// availability is whether the pose at a time is known, and if not, why.
type availability uint8

const (
	known  availability = iota
	tooOld              // before the first pose
	notYet              // after the last pose
)

// at returns the pose at a time, interpolated between two poses of odometry.
func (p *poses) at(t time.Time) (mapping.Pose, availability) {
	n := len(p.list)
	switch {
	case n == 0 || t.After(p.list[n-1].at):
		return mapping.Pose{}, notYet
	case t.Before(p.list[0].at):
		return mapping.Pose{}, tooOld
	}
	i := n - 1
	for i > 0 && !p.list[i-1].at.Before(t) {
		i--
	}
	if i == 0 || p.list[i].at.Equal(t) {
		return p.list[i].pose, known
	}
	a, b := p.list[i-1], p.list[i]
	return between(a.pose, b.pose, float64(t.Sub(a.at))/float64(b.at.Sub(a.at))), known
}

// between interpolates between a and b: share 0 is a, 1 is b. The heading turns through the smaller angle.
func between(a, b mapping.Pose, share float64) mapping.Pose {
	turn := math.Remainder(b.Theta-a.Theta, 2*math.Pi)
	return mapping.Pose{
		X: a.X + share*(b.X-a.X), Y: a.Y + share*(b.Y-a.Y), Theta: math.Remainder(a.Theta+share*turn, 2*math.Pi),
	}
}
