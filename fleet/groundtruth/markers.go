// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// wallThickness is the drawn thickness of an arena's walls, m; lightSize the diameter of a light, m.
const (
	wallThickness = 0.01
	lightSize     = 0.03
	circlePoints  = 48
	// maxSquares is the maximum number of drawn squares of a checkerboard on the floor.
	maxSquares = 4000
)

// Markers returns the objects of a world and the markings on its floor, in drawing order: the floor first.
func Markers(w *world.World) *visualization_msgs.MarkerArray {
	d := &drawing{}
	if w.Floor != nil {
		d.floor(w.Floor)
	}
	if w.Arena != nil {
		d.arena(w.Arena)
	}
	for i := range w.Walls {
		d.wall(&w.Walls[i])
	}
	for i, b := range w.Boxes {
		d.block("boxes", b.Position, b.Size, b.Yaw, b.Height, paint(w.BoxRGB(i)))
	}
	for i, c := range w.Cylinders {
		m := d.add("cylinders", visualization_msgs.MarkerCylinder, paint(w.CylinderRGB(i)))
		place(m, c.Position, c.Height/2, 0)
		m.Scale = geometry_msgs.Vector3{X: 2 * c.Radius, Y: 2 * c.Radius, Z: c.Height}
	}
	for i := range w.Boards {
		d.board(&w.Boards[i])
	}
	for _, l := range w.Lights {
		m := d.add("lights", visualization_msgs.MarkerSphere, rgb(255, 205, 40))
		place(m, world.Point{l.Position[0], l.Position[1]}, l.Position[2], 0)
		m.Scale = geometry_msgs.Vector3{X: lightSize, Y: lightSize, Z: lightSize}
	}
	return &d.MarkerArray
}

// drawing collects markers.
type drawing struct {
	visualization_msgs.MarkerArray
}

// add adds a marker; the pointer is valid until the next call.
func (d *drawing) add(ns string, kind int32, c std_msgs.ColorRGBA) *visualization_msgs.Marker {
	m := visualization_msgs.DefaultMarker()
	m.Header.FrameID, m.NS, m.ID, m.Type, m.Color = Frame, ns, int32(len(d.Markers)), kind, c
	d.Markers = append(d.Markers, m)
	return &d.Markers[len(d.Markers)-1]
}

func place(m *visualization_msgs.Marker, p world.Point, z, yaw float64) {
	m.Pose.Position = geometry_msgs.Point{X: p[0], Y: p[1], Z: z}
	m.Pose.Orientation = heading(yaw)
}

// heading returns the rotation about the vertical axis by yaw, rad.
func heading(yaw float64) geometry_msgs.Quaternion {
	return geometry_msgs.Quaternion{Z: math.Sin(yaw / 2), W: math.Cos(yaw / 2)}
}

func (d *drawing) block(ns string, middle, size world.Point, yaw, height float64, c std_msgs.ColorRGBA) {
	m := d.add(ns, visualization_msgs.MarkerCube, c)
	place(m, middle, height/2, yaw)
	m.Scale = geometry_msgs.Vector3{X: size[0], Y: size[1], Z: height}
}

// arena draws four walls around a rectangle.
func (d *drawing) arena(a *world.Arena) {
	c := paint(a.RGB())
	x, y := a.Size[0]/2+wallThickness/2, a.Size[1]/2+wallThickness/2
	long := world.Point{a.Size[0] + 2*wallThickness, wallThickness}
	short := world.Point{wallThickness, a.Size[1]}
	for _, side := range []float64{-1, 1} {
		d.block("arena", world.Point{a.Center[0], a.Center[1] + side*y}, long, 0, a.Height, c)
		d.block("arena", world.Point{a.Center[0] + side*x, a.Center[1]}, short, 0, a.Height, c)
	}
}

// wall draws a wall with square ends.
func (d *drawing) wall(w *world.Wall) {
	dx, dy := w.To[0]-w.From[0], w.To[1]-w.From[1]
	middle := world.Point{(w.From[0] + w.To[0]) / 2, (w.From[1] + w.To[1]) / 2}
	d.block("walls", middle, world.Point{math.Hypot(dx, dy), w.Thickness}, math.Atan2(dy, dx), w.Height, paint(w.RGB()))
}

// floor draws the markings on the floor, later ones over earlier ones. The floor's picture is not drawn.
func (d *drawing) floor(f *world.Floor) {
	for i := range f.Checkers {
		d.checkers(&f.Checkers[i])
	}
	for _, c := range f.Circles {
		if c.Width == 0 {
			m := d.add("floor", visualization_msgs.MarkerCylinder, grey(c.Reflectance))
			place(m, c.Position, 0, 0)
			m.Scale = geometry_msgs.Vector3{X: 2 * c.Radius, Y: 2 * c.Radius, Z: 0.001}
			continue
		}
		m := d.add("floor", visualization_msgs.MarkerLineStrip, grey(c.Reflectance))
		m.Scale.X = c.Width
		for i := range circlePoints + 1 {
			a := 2 * math.Pi * float64(i) / circlePoints
			m.Points = append(m.Points, geometry_msgs.Point{X: c.Position[0] + c.Radius*math.Cos(a), Y: c.Position[1] + c.Radius*math.Sin(a)})
		}
	}
	for _, l := range f.Lines {
		m := d.add("floor", visualization_msgs.MarkerLineStrip, grey(l.Reflectance))
		m.Scale.X = l.Width
		points := l.Points
		if l.Closed && len(points) > 0 {
			points = append(points[:len(points):len(points)], points[0])
		}
		for _, p := range points {
			m.Points = append(m.Points, geometry_msgs.Point{X: p[0], Y: p[1]})
		}
	}
}

// checkers draws every second square, starting at the lower left; with too many squares one rectangle of their mean
// colour.
func (d *drawing) checkers(c *world.Checker) {
	columns, rows := int(math.Ceil(c.Size[0]/c.Cell)), int(math.Ceil(c.Size[1]/c.Cell))
	if columns*rows > 2*maxSquares {
		d.block("floor", c.Position, c.Size, 0, 0.001, grey((1+c.Reflectance)/2))
		return
	}
	left, low := c.Position[0]-c.Size[0]/2, c.Position[1]-c.Size[1]/2
	for i := range columns {
		for k := range rows {
			if (i+k)%2 != 0 {
				continue
			}
			w, h := min(c.Cell, c.Size[0]-float64(i)*c.Cell), min(c.Cell, c.Size[1]-float64(k)*c.Cell)
			middle := world.Point{left + float64(i)*c.Cell + w/2, low + float64(k)*c.Cell + h/2}
			d.block("floor", middle, world.Point{w, h}, 0, 0.001, grey(c.Reflectance))
		}
	}
}

// paint converts a colour of the world to a marker's.
func paint(c [3]uint8) std_msgs.ColorRGBA { return rgb(c[0], c[1], c[2]) }

func rgb(r, g, b uint8) std_msgs.ColorRGBA {
	return std_msgs.ColorRGBA{R: float32(r) / 255, G: float32(g) / 255, B: float32(b) / 255, A: 1}
}

func grey(reflectance float64) std_msgs.ColorRGBA {
	v := uint8(40 + 200*reflectance)
	return rgb(v, v, v)
}
