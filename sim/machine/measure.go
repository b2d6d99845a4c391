// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Measure implements Devices.
func (m *Machine) Measure(i int, dst []float64) []float64 {
	d, err := m.device(i)
	if err != nil {
		return dst
	}
	if m.absent(d) {
		return unknown(d.desc, dst)
	}
	switch d.desc.Kind {
	case description.Infrared, description.Sonar:
		return append(dst, d.saturated(m, m.distance(d)))
	case description.Ground:
		return append(dst, m.floor(d))
	case description.Light:
		return append(dst, m.light(d))
	case description.Lidar:
		return m.fan(d, dst)
	case description.Gripper:
		return append(dst, truth(m.env.Holding()))
	case description.Contact:
		return append(dst, truth(m.contacting))
	case description.Encoder:
		if d.joint < 0 {
			return append(dst, 0)
		}
		return append(dst, d.stepped(m.noisy(d, m.Joint(d.joint).Position, 0, 0)))
	case description.LED:
		return append(dst, d.color[:]...)
	case description.Battery:
		if m.battery == nil {
			return append(dst, 0)
		}
		return append(dst, m.battery.Content())
	}
	return m.inertial(d, dst)
}

func truth(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// distance returns the value of a distance sensor: a sonar's is that of its shortest ray, others' the mean of all rays'
// values.
func (m *Machine) distance(d *device) float64 {
	if d.nearby() && m.far(d) {
		if len(d.desc.Table) == 0 {
			return math.Inf(1)
		}
		return d.stepped(m.noisy(d, d.nothing, d.spread, 0))
	}
	w := m.mount(d)
	rays, aperture := 1, 0.0
	if g := d.desc.Range; g != nil {
		rays, aperture = max(1, min(g.Rays, maxConeRays)), g.Aperture
	}
	if d.desc.Kind == description.Sonar && rays == 1 && aperture > 0 {
		rays = sonarRays
	}
	if !d.nearby() {
		m.gather(w.at, d.reach)
	}
	nearest, sum, spread := math.Inf(1), 0.0, 0.0
	for k := range rays {
		dir := w.axes[0]
		if rays > 1 {
			turn := float64(aperture * (float64(k)/float64(rays-1) - 0.5))
			dir = w.direction(geom.Direction(turn), geom.Vec{X: 1})
		}
		way := m.ray(&w, dir, d.reach)
		nearest = min(nearest, way)
		value, deviation := d.desc.Table.Answer(min(way, d.reach))
		sum += value
		spread += deviation
	}
	switch {
	case d.desc.Kind == description.Sonar || len(d.desc.Table) == 0:
		if math.IsInf(nearest, 1) && len(d.desc.Table) == 0 {
			return nearest
		}
		sum, spread = d.desc.Table.Answer(min(nearest, d.reach))
	default:
		sum, spread = sum/float64(rays), spread/float64(rays)
	}
	return d.stepped(m.noisy(d, sum, spread, 0))
}

// saturated returns the value of an infrared sensor, bounded by the part of the converter's range that ambient light
// does not use.
func (d *device) saturated(m *Machine, value float64) float64 {
	if value <= d.unsaturated {
		return value
	}
	limit, deviation := d.desc.Saturation.Answer(d.irradiance(m))
	if !m.env.Quiet() && deviation != 0 {
		limit += float64(deviation * d.dice.Named("saturation").Normal(uint64(m.env.Cycle())))
	}
	return min(value, max(0, d.desc.Noise.Convert(limit)))
}

// irradiance returns the light on a sensor, W/m².
func (d *device) irradiance(m *Machine) float64 {
	w := m.mount(d)
	a := w.axes[0]
	return m.env.Irradiance(w.at, w.height, geom.Vec{X: a.X, Y: a.Y}, a.Z)
}

// far reports whether none of the nearby sensors can detect anything; else it gathers the obstacles in their range.
func (m *Machine) far(d *device) bool {
	if m.links.stale || d.settled != m.links.count { // a joint has moved it
		d.settle(m)
		m.watch, m.watched = max(m.watch, d.at.Norm()+d.reach), -1
	}
	cycle, changes := m.env.Cycle(), m.env.Changes()
	if m.watched != cycle || m.changes != changes {
		m.env.Gather(&m.rays, m.pose.Position(), m.watch, 0)
		m.watched, m.changes = cycle, changes
	}
	return m.rays.Empty()
}

// gather gathers the obstacles in the range of one device.
func (m *Machine) gather(at geom.Vec, reach float64) {
	m.env.Gather(&m.rays, at, reach, 0)
	m.watched = -1
}

const (
	// maxConeRays bounds the rays of a cone.
	maxConeRays = 64
	// sonarRays is the number of rays of a sonar's cone whose description has none.
	sonarRays = 5
)

// ray returns the length of a ray in space to the first obstacle, m, +Inf beyond reach.
func (m *Machine) ray(w *mount, dir r3.Vec, reach float64) float64 {
	level := geom.Vec{X: dir.X, Y: dir.Y}
	part := level.Norm() // horizontal part of its length
	if part < 1e-6 {     // up or down
		if dir.Z < 0 && w.height < reach {
			return w.height
		}
		return math.Inf(1)
	}
	way := m.rays.Ray(w.at, level.Scale(1/part), w.height, dir.Z/part, reach)
	if way >= reach || way/part >= reach {
		return math.Inf(1)
	}
	return way / part
}

// fan appends the distances of a lidar.
func (m *Machine) fan(d *device, dst []float64) []float64 {
	w, f := m.mount(d), d.desc.Fan
	m.gather(w.at, d.reach)
	layers := max(1, f.Layers)
	for layer := range layers {
		lift := 0.0
		if layers > 1 {
			lift = float64(f.Height * (0.5 - float64(layer)/float64(layers-1)))
		}
		up := geom.Direction(lift)
		for k := range f.Samples {
			turn := f.MinAngle
			if f.Samples > 1 {
				turn += float64(float64(k) * (f.MaxAngle - f.MinAngle) / float64(f.Samples-1))
			}
			way := m.ray(&w, w.direction(geom.Direction(turn), up), d.reach)
			step := 0.0
			if d.desc.Range != nil {
				step = d.desc.Range.Resolution
			}
			if way = m.noisy(d, way, 0, len(dst)); step > 0 && !math.IsInf(way, 1) {
				way = float64(math.Round(way/step) * step)
			}
			dst = append(dst, way)
		}
	}
	return dst
}

// floor returns the value of a ground sensor: the floor's reflectance times its table's value at its height, or 1.
func (m *Machine) floor(d *device) float64 {
	w := m.mount(d)
	value, deviation := 1.0, 0.0
	if len(d.desc.Table) > 0 {
		value, deviation = d.desc.Table.Answer(max(0, w.height))
	}
	back := m.env.Reflectance(w.at)
	return d.stepped(m.noisy(d, float64(value*back), float64(deviation*back), 0))
}

// light returns the value of a light sensor.
func (m *Machine) light(d *device) float64 {
	value, deviation := d.desc.Table.Answer(d.irradiance(m))
	return d.stepped(m.noisy(d, value, deviation, 0))
}

// inertial appends the values of sensors of motion and position.
func (m *Machine) inertial(d *device, dst []float64) []float64 {
	w := m.mount(d)
	first := len(dst)
	force := func() { dst = append(dst, m.force(&w)...) }
	turning := func() {
		v := w.into([3]float64{0, 0, m.turning})
		dst = append(dst, v[:]...)
	}
	switch d.desc.Kind {
	case description.IMU:
		force()
		turning()
		dst = append(dst, w.attitude()...)
	case description.Accelerometer:
		force()
	case description.Gyro:
		turning()
	case description.Orientation:
		return append(dst, w.attitude()...)
	case description.Compass:
		v := w.into([3]float64(m.env.Field()))
		dst = append(dst, v[:]...)
	case description.GPS:
		dst = append(dst, w.at.X, w.at.Y, w.height, math.Abs(m.forward))
	}
	for i := first; i < len(dst) && i < first+6; i++ { // an attitude has none
		value, deviation := d.desc.Table.Answer(dst[i])
		dst[i] = d.stepped(m.noisy(d, value, deviation, i-first))
	}
	return dst
}

// force returns the specific force on a device, m/s²: at rest the reaction to gravity, upwards.
func (m *Machine) force(w *mount) []float64 {
	ahead := m.pose.Theta
	if m.base != nil {
		ahead += m.base.ahead
	}
	to := geom.Direction(geom.WrapAngle(ahead))
	inwards := float64(m.forward * m.turning)
	v := w.into([3]float64{
		float64(to.X*m.acceleration) - float64(to.Y*inwards),
		float64(to.Y*m.acceleration) + float64(to.X*inwards),
		physics.Gravity,
	})
	return v[:]
}

// attitude returns roll, pitch and yaw of a device in the world, rad.
func (w *mount) attitude() []float64 {
	x, y, z := w.axes[0], w.axes[1], w.axes[2]
	level := geom.Vec{X: x.X, Y: x.Y}.Norm()
	return []float64{geom.Angle(geom.Vec{X: z.Z, Y: y.Z}), geom.Angle(geom.Vec{X: level, Y: -x.Z}), geom.Angle(geom.Vec{X: x.X, Y: x.Y})}
}

// SetLED implements Devices.
func (m *Machine) SetLED(i int, color [3]float64) {
	d, err := m.device(i)
	if err != nil || d.desc.Kind != description.LED {
		return
	}
	for k, v := range color {
		if d.color[k] = 0; v > 0 { // not NaN
			d.color[k] = min(1, v)
		}
	}
}
