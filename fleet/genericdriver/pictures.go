// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// makeLidar creates the component of a lidar: a scan of its middle layer, and a point cloud.
func makeLidar(c *Context) (Component, error) {
	var v []float64
	f := c.Device.Fan
	layers := max(1, f.Layers)
	low, high := span(c.Device)
	scan, errScan := Offer(c, c.Settings.Topic, func(m *sensor_msgs.LaserScan, d machine.Devices, now time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.AngleMin, m.AngleMax, m.AngleIncrement = float32(f.MinAngle), float32(f.MaxAngle), float32(step(f))
		m.ScanTime = float32(c.Settings.period().Seconds())
		m.RangeMin, m.RangeMax = float32(low), float32(high)
		m.Ranges = m.Ranges[:0]
		for _, r := range v[layers/2*f.Samples:][:f.Samples] {
			if r < low {
				r = math.Inf(-1)
			}
			m.Ranges = append(m.Ranges, float32(r))
		}
		return true
	})
	points, errPoints := Offer(c, c.Settings.Topic+"/point_cloud", func(m *sensor_msgs.PointCloud2, d machine.Devices, now time.Time) bool {
		v = d.Measure(c.Index, v[:0])
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		cloud(m, f, v, low)
		return true
	})
	return both(scan, errScan, points, errPoints)
}

// step returns the angle between two rays, rad.
func step(f *description.Fan) float64 {
	if f.Samples < 2 {
		return 0
	}
	return (f.MaxAngle - f.MinAngle) / float64(f.Samples-1)
}

// cloud fills in a point cloud with the measured distances, m; those below low or +Inf are left out.
func cloud(m *sensor_msgs.PointCloud2, f *description.Fan, v []float64, low float64) {
	const size = 12
	if m.Fields == nil {
		for i, name := range []string{"x", "y", "z"} {
			m.Fields = append(m.Fields, sensor_msgs.PointField{Name: name, Offset: uint32(4 * i), Datatype: sensor_msgs.PointFieldFloat32, Count: 1})
		}
	}
	m.Data, m.Height, m.PointStep, m.IsDense = m.Data[:0], 1, size, true
	layers := max(1, f.Layers)
	for i, r := range v {
		if r < low || math.IsInf(r, 1) {
			continue
		}
		turn, lift := f.MinAngle+step(f)*float64(i%f.Samples), 0.0
		if layers > 1 {
			lift = f.Height * (0.5 - float64(i/f.Samples)/float64(layers-1))
		}
		level := r * math.Cos(lift)
		for _, x := range [3]float64{level * math.Cos(turn), level * math.Sin(turn), r * math.Sin(lift)} {
			m.Data = binary.LittleEndian.AppendUint32(m.Data, math.Float32bits(float32(x)))
		}
	}
	m.Width = uint32(len(m.Data) / size)
	m.RowStep = uint32(len(m.Data))
}

// makeCamera creates the component of a camera: pictures and camera_info.
func makeCamera(c *Context) (Component, error) {
	i := c.Device.Image
	base := ""
	if c.Settings.Topic != "" {
		base = c.Settings.Topic + "/"
	}
	picture, errPicture := Offer(c, base+"image_raw", func(m *sensor_msgs.Image, d machine.Devices, now time.Time) bool {
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.Width, m.Height, m.Step, m.Encoding = uint32(i.Width), uint32(i.Height), uint32(4*i.Width), "bgra8"
		m.Data = d.Picture(c.Index, m.Data)
		return len(m.Data) > 0
	})
	info, errInfo := Offer(c, base+"camera_info", func(m *sensor_msgs.CameraInfo, _ machine.Devices, now time.Time) bool {
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.Width, m.Height, m.DistortionModel, m.D = uint32(i.Width), uint32(i.Height), "plumb_bob", make([]float64, 5)
		x, y := float64(i.Width-1)/2, float64(i.Height-1)/2
		m.K = [9]float64{i.Focal(), 0, x, 0, i.Focal(), y, 0, 0, 1}
		m.R = [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
		m.P = [12]float64{i.Focal(), 0, x, 0, 0, i.Focal(), y, 0, 0, 0, 1, 0}
		return true
	})
	return both(picture, errPicture, info, errInfo)
}
