// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// rows are a description's table as Webots has it.
func rows(t description.Table) (out [][3]float64) {
	for _, r := range t {
		out = append(out, [3]float64{r.Quantity, r.Value, r.Noise})
	}
	return out
}

// distance makes a sensor of distances, or of the floor below it. One without a table says metres, and has a table that
// says so: of its range, which its answers keep to.
func (r *described) distance(d *description.Device, read func() []float64) *sensor {
	table, kind, aperture := rows(d.Table), int32(infrared), 0.0
	if d.Kind == description.Sonar {
		kind = sonar
	}
	if d.Range != nil {
		aperture = d.Range.Aperture
	}
	answer := read
	switch {
	case len(table) > 0:
	case d.Kind == description.Ground: // what the floor sends back, as high as it may be
		table = [][3]float64{{0, 1, 0}, {1, 1, 0}}
	default:
		nearest, maxRange := 0.0, unseen
		if d.Range != nil {
			nearest, maxRange = d.Range.Min, d.Range.Max
		}
		table = [][3]float64{{nearest, nearest, 0}, {maxRange, maxRange, 0}}
		answer = func() []float64 { return []float64{min(max(read()[0], nearest), maxRange)} }
	}
	s := distanceSensor(r.called(d.Name), kind, aperture, table, answer)
	if d.Kind == description.Ground { // a dark floor says less than its table
		s.say = func(a *wire.Answer) {
			a.Int32(kind)
			a.Doubles(0, highest(table), aperture)
			a.Table(table)
		}
	}
	return s
}

// highest is the largest answer of a table.
func highest(table [][3]float64) float64 {
	most := table[0][1]
	for _, row := range table {
		most = max(most, row[1])
	}
	return most
}

// unseen is what a sensor says that sees nothing and does not say how far it sees, m.
const unseen = 10.0

// attitude makes an inertial unit of what says roll, pitch and yaw.
func attitude(name string, read func() []float64) *sensor {
	s := newSensor(name, wire.InertialUnit, wire.InertialData, nil, func() []float64 {
		v := read()
		return quaternion(v[0], v[1], v[2])
	})
	s.say = func(a *wire.Answer) {
		a.Doubles(0) // noise: it is in the numbers already
		a.String("ENU")
	}
	return s
}

// quaternion is x, y, z and w of a rotation about the fixed axes x, y and z, rad.
func quaternion(roll, pitch, yaw float64) []float64 {
	r, p, y := geom.Direction(roll/2), geom.Direction(pitch/2), geom.Direction(yaw/2)
	product := func(a, b, c float64) float64 { return float64(float64(a*b) * c) }
	return []float64{
		product(r.Y, p.X, y.X) - product(r.X, p.Y, y.Y),
		product(r.X, p.Y, y.X) + product(r.Y, p.X, y.Y),
		product(r.X, p.X, y.Y) - product(r.Y, p.Y, y.X),
		product(r.X, p.X, y.X) + product(r.Y, p.Y, y.Y),
	}
}

// unit is a vector's direction.
func unit(v []float64) []float64 {
	n := math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]))
	if n == 0 {
		return []float64{0, 0, 0}
	}
	return []float64{v[0] / n, v[1] / n, v[2] / n}
}

// gps makes what says where it is, how fast it is and where it goes to.
func (r *described) gps(i int) *sensor {
	s := newSensor(r.called(r.desc.Devices[i].Name), wire.GPS, wire.GPSData, nil, func() []float64 {
		v := r.measure(i)
		forward, _ := r.machine.Twist()
		to := geom.Direction(r.machine.Pose().Theta).Scale(forward)
		return append(v[:4:4], to.X, to.Y, 0)
	})
	s.say = func(a *wire.Answer) { a.Int32(0) } // metres of the world
	return s
}

// radioOf is how an emitter or a receiver is set at the beginning.
func radioOf(d *description.Device) radio {
	r := radio{reach: -1, limit: -1, buffer: -1}
	if d.Radio == nil {
		return r
	}
	r.channel = int32(d.Radio.Channel)
	if d.Radio.Range > 0 {
		r.reach = d.Radio.Range
	}
	if d.Radio.MaxRange > 0 {
		r.limit = d.Radio.MaxRange
	}
	if d.Radio.Buffer > 0 {
		r.buffer = int32(d.Radio.Buffer)
	}
	return r
}
