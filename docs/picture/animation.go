// SPDX-License-Identifier: Apache-2.0

// Package picture draws the moving picture of the README: a simulated robot that the driver drives through a world,
// seen from above, as an animated SVG. Its test makes the picture from the program itself and fails when it is stale;
// scripts/picture.sh draws it anew.
package picture

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// frame is one moment of the animation.
type frame struct {
	// X and Y (m) are the middle of the wheels' axle in the world, x to the right and y up; Theta (rad) the robot's
	// direction, anticlockwise from x.
	X, Y, Theta float64
	// Ranges (m) are what the robot measures in the directions of [Animation.Angles], from its centre; 0 is nothing.
	Ranges []float64
}

// animation is what is drawn.
type animation struct {
	World  *sim.World
	Angles []float64 // rad, of the ranges, anticlockwise from ahead
	Frames []frame   // at equal distances in time
	Length time.Duration
}

const (
	scale      = 380.0 // of the picture, pixels a metre
	margin     = 0.03  // m, around the arena
	bodyRadius = robot.BodyRadius
	wheelX     = 0.0 // m, of the axle in the robot
)

// svg draws the animation. It repeats without end.
func (a animation) svg() string {
	var b strings.Builder
	w, h := 1.0, 1.0
	if a.World.Arena != nil {
		w, h = a.World.Arena.Size[0], a.World.Arena.Size[1]
	}
	width, height := (w+2*margin)*scale, (h+2*margin)*scale
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>A simulated e-puck2 keeps clear of what its sensors see</title>\n")
	fmt.Fprintf(&b, `<g transform="translate(%.1f %.1f) scale(%.0f %.0f)">`+"\n", width/2, height/2, scale, -scale)
	fmt.Fprintf(&b, `<rect x="%.3f" y="%.3f" width="%.3f" height="%.3f" fill="#fbfaf7" stroke="#5b5f66" stroke-width="0.012"/>`+"\n",
		-w/2, -h/2, w, h)
	a.things(&b)
	a.trail(&b)
	a.robot(&b)
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// things draws the objects of the world.
func (a animation) things(b *strings.Builder) {
	for _, box := range a.World.Boxes {
		fmt.Fprintf(b, `<rect x="%.3f" y="%.3f" width="%.3f" height="%.3f" fill="#b9a78c" transform="translate(%.3f %.3f) rotate(%.1f)"/>`+"\n",
			-box.Size[0]/2, -box.Size[1]/2, box.Size[0], box.Size[1], box.Position[0], box.Position[1], degrees(box.Yaw))
	}
	for _, c := range a.World.Cylinders {
		fmt.Fprintf(b, `<circle cx="%.3f" cy="%.3f" r="%.3f" fill="#9fb3a1"/>`+"\n", c.Position[0], c.Position[1], c.Radius)
	}
}

// trail draws where the robot has been, as it goes.
func (a animation) trail(b *strings.Builder) {
	var points []string
	length := 0.0
	lengths := make([]float64, len(a.Frames))
	for i, f := range a.Frames {
		points = append(points, fmt.Sprintf("%.3f,%.3f", f.X, f.Y))
		if i > 0 {
			length += math.Hypot(f.X-a.Frames[i-1].X, f.Y-a.Frames[i-1].Y)
		}
		lengths[i] = length
	}
	left := a.values(func(i int) string { return fmt.Sprintf("%.3f", length-lengths[i]) })
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="#3a7bd5" stroke-width="0.004" stroke-linejoin="round" stroke-dasharray="%.3f">`,
		strings.Join(points, " "), length)
	fmt.Fprintf(b, `<animate attributeName="stroke-dashoffset" values="%s" dur="%s" repeatCount="indefinite"/></polyline>`+"\n", left, a.duration())
}

// robot draws the robot with the rays of its sensors.
func (a animation) robot(b *strings.Builder) {
	places := a.values(func(i int) string { return fmt.Sprintf("%.3f %.3f", a.Frames[i].X, a.Frames[i].Y) })
	turned := make([]float64, len(a.Frames)) // without jumps from 180 to −180
	for i, f := range a.Frames {
		turned[i] = degrees(f.Theta)
		if i > 0 {
			turned[i] = turned[i-1] + math.Remainder(turned[i]-turned[i-1], 360)
		}
	}
	angles := a.values(func(i int) string { return fmt.Sprintf("%.1f", turned[i]) })
	const animate = `<animateTransform attributeName="transform" type="%s" values="%s" dur="%s" repeatCount="indefinite"/>` + "\n"
	first := a.Frames[0] // for what shows no animations
	fmt.Fprintf(b, `<g transform="translate(%.3f %.3f)">`+animate, first.X, first.Y, "translate", places, a.duration())
	fmt.Fprintf(b, `<g transform="rotate(%.1f)">`+animate, turned[0], "rotate", angles, a.duration())
	for k, angle := range a.Angles {
		a.ray(b, k, angle)
	}
	fmt.Fprintf(b, `<circle r="%.3f" fill="#4c9a5f" stroke="#2c5c39" stroke-width="0.003"/>`+"\n", bodyRadius)
	for _, side := range []float64{1, -1} {
		fmt.Fprintf(b, `<rect x="%.3f" y="%.4f" width="0.041" height="0.006" fill="#333"/>`+"\n", wheelX-0.0205, side*0.0285-0.003)
	}
	fmt.Fprintf(b, `<path d="M 0.032 0 L 0.018 0.008 L 0.018 -0.008 Z" fill="#f4d35e"/>`+"\n</g></g>\n")
}

// ray draws one sensor's ray for as long as it measures something.
func (a animation) ray(b *strings.Builder, k int, angle float64) {
	seen := false
	ends := a.values(func(i int) string {
		r := a.Frames[i].Ranges[k]
		seen = seen || r > 0
		return fmt.Sprintf("%.3f", max(r, bodyRadius))
	})
	if !seen {
		return
	}
	fmt.Fprintf(b, `<line x1="%.3f" x2="%.3f" stroke="#e4572e" stroke-width="0.003" transform="rotate(%.1f)">`, bodyRadius, bodyRadius, degrees(angle))
	fmt.Fprintf(b, `<animate attributeName="x2" values="%s" dur="%s" repeatCount="indefinite"/></line>`+"\n", ends, a.duration())
}

func (a animation) values(of func(i int) string) string {
	all := make([]string, len(a.Frames))
	for i := range a.Frames {
		all[i] = of(i)
	}
	return strings.Join(all, ";")
}

func (a animation) duration() string { return fmt.Sprintf("%.1fs", a.Length.Seconds()) }

func degrees(rad float64) float64 { return rad * 180 / math.Pi }
