// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// resolution is the smallest step of what a device says, 0 if there is none.
func (b *builder) resolution(n *node) float64 { return max(0, b.number(n, "resolution", -1)) }

// deviation is the deviation of a device's noise, which its field has as part of the most.
func (b *builder) deviation(n *node, field string, most float64) float64 {
	v := b.number(n, field, 0)
	if v < 0 {
		b.failf(n.ask(field).line, "%s.%s: %g", n.kind, field, v)
	}
	return v * most
}

// table reads a lookupTable: quantity, value, noise as part of the value.
func (b *builder) table(n *node, without description.Table) description.Table {
	f := n.ask("lookupTable")
	if f == nil {
		return without
	}
	v := b.numbers(n, "lookupTable", 3, true)
	b.charge(f.line, len(v)/3)
	if len(v)/3 > description.MaxRows {
		b.failf(f.line, "%s.lookupTable: %d rows, %d at most", n.kind, len(v)/3, description.MaxRows)
		return without
	}
	if b.full {
		return without
	}
	var t description.Table
	for i := 0; i < len(v); i += 3 {
		if i > 0 && v[i] <= v[i-3] {
			b.failf(f.line, "%s.lookupTable: %g does not come after %g", n.kind, v[i], v[i-3])
		}
		if v[i+2] < 0 {
			b.failf(f.line, "%s.lookupTable: noise of %g", n.kind, v[i+2])
		}
		t = append(t, description.Row{Quantity: v[i], Value: v[i+1], Noise: v[i+2]})
	}
	return t
}

// distance reads a DistanceSensor.
func (b *builder) distance(n *node, d *description.Device) {
	d.Subtype = b.text(n, "type", "generic")
	switch d.Subtype {
	case "sonar":
		d.Kind = description.Sonar
	case "generic", "infra-red", "laser":
	default:
		b.failf(n.ask("type").line, "%s.type: %q", n.kind, clip(d.Subtype))
	}
	d.Table = b.table(n, description.Table{{}, {Quantity: .1, Value: 1000}})
	aperture := b.number(n, "aperture", math.Pi/2)
	rays := b.count(n, "numberOfRays", 1, 1, description.MaxRays)
	if aperture < 0 {
		b.failf(n.ask("aperture").line, "%s.aperture: %g", n.kind, aperture)
	}
	if d.Subtype == "laser" { // it is the radius of the spot
		aperture = 0
	}
	if len(d.Table) < 2 {
		b.remarkf(n.line, "%s: its lookupTable of %d rows gives no range", n.kind, len(d.Table))
		return
	}
	least, most := d.Table[0].Quantity, d.Table[len(d.Table)-1].Quantity
	if least < 0 {
		b.failf(n.line, "%s.lookupTable: a distance of %g", n.kind, least)
	}
	d.Range = &description.Range{Min: least, Max: most, Aperture: aperture, Rays: rays}
}

// lamp reads an LED.
func (b *builder) lamp(n *node, d *description.Device) {
	d.Gradual = b.boolean(n, "gradual")
	f := n.ask("color")
	if f == nil {
		d.Colors = [][3]float64{{1, 0, 0}}
		return
	}
	v := b.numbers(n, "color", 3, true)
	b.charge(f.line, len(v)/3)
	for i := 0; i < len(v) && !b.full; i += 3 {
		d.Colors = append(d.Colors, [3]float64{v[i], v[i+1], v[i+2]})
	}
}

// image reads the picture of a Camera or a RangeFinder.
func (b *builder) image(n *node) *description.Image {
	i := &description.Image{
		Width: b.count(n, "width", 64, 1, description.MaxPixels), Height: b.count(n, "height", 64, 1, description.MaxPixels),
		FieldOfView: b.positive(n, "fieldOfView", .785398),
	}
	if i.FieldOfView >= 2*math.Pi {
		b.failf(n.ask("fieldOfView").line, "%s.fieldOfView: %g, less than a turn", n.kind, i.FieldOfView)
	}
	if p := b.text(n, "projection", "planar"); p != "planar" {
		b.remarkf(n.ask("projection").line, "%s.projection: %s: it is planar here", n.kind, clip(p))
	}
	return i
}

// span reads the range of a Lidar or a RangeFinder.
func (b *builder) span(n *node) *description.Range {
	r := &description.Range{Min: b.number(n, "minRange", .01), Max: b.number(n, "maxRange", 1), Resolution: b.resolution(n), Rays: 1}
	if r.Min < 0 || r.Max <= r.Min {
		b.failf(n.line, "%s: range from %g to %g", n.kind, r.Min, r.Max)
	}
	return r
}

// lidar reads a Lidar.
func (b *builder) lidar(n *node, d *description.Device, at place) {
	angle := b.positive(n, "fieldOfView", math.Pi/2)
	if d.Subtype = b.text(n, "type", "fixed"); d.Subtype == "rotating" {
		angle = 2 * math.Pi
		d.Rate = b.positive(n, "defaultFrequency", 10)
	}
	const turn = 2*math.Pi + 1e-4 // 6.2832 is meant to be a turn
	if angle > turn {
		b.failf(n.ask("fieldOfView").line, "%s.fieldOfView: %g, a turn at most", n.kind, angle)
	}
	angle = min(angle, 2*math.Pi)
	d.Range = b.span(n)
	d.Noise.Deviation = b.deviation(n, "noise", d.Range.Max)
	d.Fan = &description.Fan{
		Samples: b.count(n, "horizontalResolution", 512, 1, description.MaxRays), MinAngle: -angle / 2, MaxAngle: angle / 2,
		Layers: b.count(n, "numberOfLayers", 4, 1, description.MaxRays), Height: b.number(n, "verticalFieldOfView", .2),
	}
	if head := b.single(n, "rotatingHead"); head != nil {
		b.remarkf(head.line, "Lidar.rotatingHead: it does not turn here")
		b.child(head, at)
	}
}

// radio reads an Emitter or a Receiver.
func (b *builder) radio(n *node, d *description.Device) {
	const most = math.MaxInt32
	d.Subtype = b.text(n, "type", "radio")
	d.Radio = &description.Radio{
		Channel: b.count(n, "channel", 0, -1, most), Aperture: max(0, b.number(n, "aperture", -1)),
		Baud: max(0, b.count(n, "baudRate", -1, -1, most)), Buffer: max(0, b.count(n, "bufferSize", -1, -1, most)),
		ByteSize: b.count(n, "byteSize", 8, 8, most),
	}
	if d.Kind == description.Emitter {
		d.Radio.Range, d.Radio.MaxRange = max(0, b.number(n, "range", -1)), max(0, b.number(n, "maxRange", -1))
	}
}

// battery adds the battery of a Robot: what is in it, what it can have, J, and how fast it is charged, W.
func (b *builder) battery(n *node, v []float64) {
	f := n.ask("battery")
	if len(v) != 3 || v[0] < 0 || v[1] < v[0] || v[2] < 0 {
		b.failf(f.line, "Robot.battery: %d numbers, of which the second is the most: %.6g", len(v), v[:min(3, len(v))])
		return
	}
	b.addDevice(description.Device{
		Kind: description.Battery, Name: "battery", Line: f.line, Energy: &description.Energy{Now: v[0], Most: v[1], Charging: v[2]},
	}, 0)
}
