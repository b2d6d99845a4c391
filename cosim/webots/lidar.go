// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// lidar has a picture of distances, m, the leftmost first, layers from above, and behind it the same as points.
type lidar struct {
	sampler
	*page
	desc   *description.Device
	layers int
	step   float64 // between rays, rad
	order  []int   // of a layer's rays, in the picture
	points bool    // they are wanted
	read   func() []float64
}

// pointSize is that of a point: x, y, z (m), layer, time (s), 4 bytes each.
const pointSize = 20

// newLidar makes a lidar; nil: it has more rays than the protocol can represent.
func newLidar(b *body, d *description.Device, name string, read func() []float64) *lidar {
	f := d.Fan
	if f.Samples > math.MaxUint16 || f.Layers > math.MaxUint16 {
		return nil
	}
	l := &lidar{
		sampler: sampler{part: part{name: name, kind: wire.Lidar}}, page: newPage(b), desc: d, layers: max(1, f.Layers), read: read,
	}
	if f.Samples > 1 {
		l.step = (f.MaxAngle - f.MinAngle) / float64(f.Samples-1)
	}
	at := make([]float64, f.Samples)
	for k := range at {
		at[k] = l.angle(k)
		if f.MaxAngle-f.MinAngle > 2*math.Pi-float64(1.5*l.step) { // all around: the picture begins behind
			at[k] = geom.WrapAngle(at[k])
			if at[k] > math.Pi-float64(0.25*l.step) {
				at[k] -= 2 * math.Pi
			}
		}
		l.order = append(l.order, k)
	}
	slices.SortStableFunc(l.order, func(i, j int) int { return cmp.Compare(at[j], at[i]) })
	return l
}

// angle is where a ray of the description goes, rad.
func (l *lidar) angle(k int) float64 { return l.desc.Fan.MinAngle + float64(float64(k)*l.step) }

// width is the angle of the picture, rad: of so many steps as there are rays, each in the middle of its own.
func (l *lidar) width() float64 { return l.step * float64(len(l.order)) }

// configure implements device.
func (l *lidar) configure(a *wire.Answer) {
	nearest, maxRange := 0.0, 0.0
	if r := l.desc.Range; r != nil {
		nearest, maxRange = r.Min, r.Max
	}
	a.Int32(int32(l.tag)) // a number of its own
	a.Uint16(uint16(len(l.order)))
	a.Uint16(uint16(l.layers))
	a.Doubles(l.width(), nearest)
	a.Bool(false) // not planar
	a.Doubles(maxRange)
	a.Uint16(uint16(l.layers))
	a.Doubles(l.desc.Rate, l.desc.Rate, l.desc.Rate, l.desc.Fan.Height, float64(len(l.order)))
}

// execute implements device.
func (l *lidar) execute(b *body, q wire.Command, a *wire.Answer) error {
	switch q.Code {
	case wire.LidarFrequency:
		b.missing("another frequency of the lidar", "all rays at once, whenever they are asked for")
		return nil
	case wire.LidarPoints, wire.LidarNoPoints:
		l.points = q.Code == wire.LidarPoints
		return nil
	}
	l.every(q.Number[0], b.server.now)
	if l.period <= 0 || l.pixels != nil {
		return nil
	}
	return l.open(b, l.tag, (4+pointSize)*len(l.order)*l.layers, a)
}

// measure implements device.
func (l *lidar) measure(b *body, a *wire.Answer) {
	if !l.due(b.server.now) {
		return
	}
	v := l.read()
	put := func(at int, v float64) { binary.LittleEndian.PutUint32(l.pixels[at:], math.Float32bits(float32(v))) }
	first := 4 * len(v)
	for layer := range l.layers {
		rise := 0.0
		if l.layers > 1 {
			rise = l.desc.Fan.Height * (0.5 - float64(layer)/float64(l.layers-1))
		}
		for k, from := range l.order {
			i := layer*len(l.order) + k
			way := v[layer*len(l.order)+from]
			put(4*i, way)
			if !l.points {
				continue
			}
			turn, up := geom.Direction(l.angle(from)), geom.Direction(rise)
			p := first + pointSize*i
			put(p, way*turn.X*up.X)
			put(p+4, way*turn.Y*up.X)
			put(p+8, way*up.Y)
			binary.LittleEndian.PutUint32(l.pixels[p+12:], uint32(layer))
			put(p+16, b.server.now.Seconds())
		}
	}
	l.show(b, l.tag, a)
}
