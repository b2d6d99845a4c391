// SPDX-License-Identifier: Apache-2.0

package world

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// maxFileSize is the longest world file that is read, bytes.
const maxFileSize = 16 << 20

// Parse reads the text of a world file, which may not have a floor picture.
// Every error wraps ErrWorld and names the field and its line.
//
// Each of settings gives a field another value than the file, KEY=VALUE as in "arena.size=[2, 2]" or
// "robots[0].level=functional"; the value is YAML, none removes the field. Items of a list are selected by their index
// from 0, by their name, or by * for all.
func Parse(data []byte, settings ...string) (*World, error) { return parse(data, nil, settings) }

// parse reads a world file whose pictures are in a file system.
func parse(data []byte, pictures fs.FS, settings []string) (*World, error) {
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("%w: file of %d bytes, at most %d", ErrWorld, len(data), maxFileSize)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, syntaxErrorIn(data, err)
	}
	l := locator{&root}
	if err := checkNodes(resolve(&root)); err != nil {
		return nil, err
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	w := new(World)
	if err := dec.Decode(w); err != nil {
		return nil, decodeError(l, err)
	}
	if wrong := mismatch(&root, reflect.TypeFor[World](), nil); wrong != nil { // such as a fraction that was cut off
		return nil, wrong
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errorAt(&more, nil, "a second document")
	}
	if len(settings) > 0 {
		changed, err := applySettings(&root, settings)
		if err != nil {
			return nil, err
		}
		if w, err = decodeTree(changed); err != nil {
			return nil, err
		}
		l = locator{changed}
	}
	setDefaults(w, l)
	if err := loadPicture(w, l, pictures); err != nil {
		return nil, err
	}
	if err := check(w, l); err != nil {
		return nil, err
	}
	if err := loadModels(w, l, pictures); err != nil {
		return nil, err
	}
	return w, nil
}

// decodeTree reads a world from the tree of a file.
func decodeTree(root *yaml.Node) (*World, error) {
	if err := checkNodes(root); err != nil {
		return nil, err
	}
	if err := mismatch(root, reflect.TypeFor[World](), nil); err != nil {
		return nil, err
	}
	w := new(World)
	if err := root.Decode(w); err != nil {
		return nil, decodeError(locator{root}, err)
	}
	return w, nil
}

// LoadFile reads the world file at a path, and its picture from the same
// folder or one in it. Settings are those of [Parse].
func LoadFile(path string, settings ...string) (*World, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	defer func() { _ = folder.Close() }()
	w, err := load(f, path, folder.FS(), settings)
	return w, filekind.Explain(path, err)
}

// LoadFS reads the world file of a name, and its picture, from a file system. Settings are those of [Parse].
func LoadFS(files fs.FS, name string, settings ...string) (*World, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	folder, err := fs.Sub(files, filepath.ToSlash(filepath.Dir(name)))
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	return load(f, name, folder, settings)
}

func load(f io.Reader, name string, pictures fs.FS, settings []string) (*World, error) {
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	w, err := parse(data, pictures, settings)
	var at *positionError
	switch {
	case errors.As(err, &at):
		at.file = name
		return nil, at
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// checkNodes refuses what the decoder would pass over in silence: no file at
// all, and empty list items, after which its indices would not be ours.
func checkNodes(root *yaml.Node) error {
	if root == nil || root.Kind == 0 {
		return fmt.Errorf("%w: the file is empty", ErrWorld)
	}
	if root.Kind != yaml.MappingNode {
		return errorAt(root, nil, "must be a mapping of fields")
	}
	return checkItems(root, nil)
}

// checkItems looks for empty list items under a node. What an alias stands for
// is looked at where it is written.
func checkItems(n *yaml.Node, path []any) error {
	for i, item := range n.Content {
		step := any(i)
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue // a key
			}
			step = n.Content[i-1].Value
		}
		here := append(slices.Clip(path), step)
		if v := resolve(item); n.Kind == yaml.SequenceNode && (v == nil || v.Tag == "!!null") {
			return errorAt(item, here, "must not be empty")
		}
		if err := checkItems(item, here); err != nil {
			return err
		}
	}
	return nil
}

// decodeError says in the file's own terms what the decoder refuses. Where that is something else than a field or a
// value, such as a field that comes twice, it is the decoder's first complaint, with the path of its line.
func decodeError(l locator, err error) error {
	if strings.Contains(err.Error(), "excessive aliasing") { // a file that grows without bound when it is followed
		return syntaxError(err)
	}
	if wrong := mismatch(l.root, reflect.TypeFor[World](), nil); wrong != nil {
		return wrong
	}
	var te *yaml.TypeError
	if !errors.As(err, &te) || len(te.Errors) == 0 {
		return syntaxError(err)
	}
	e := &positionError{text: te.Errors[0]}
	if _, err := fmt.Sscanf(e.text, "line %d:", &e.line); err == nil {
		_, e.text, _ = strings.Cut(e.text, ": ")
		e.text = l.pathAt(e.line) + ": " + e.text
	}
	return e
}

// setDefaults fills in what the file leaves out.
func setDefaults(w *World, l locator) {
	def := func(v *float64, value float64, path ...any) {
		if !l.has(path...) {
			*v = value
		}
	}
	load := func(to *Load, list string, i int) {
		if to.Movable {
			def(&to.Mass, DefaultMass, list, i, "mass")
			def(&to.Friction, DefaultFriction, list, i, "friction")
		}
	}
	def(&w.AmbientIrradiance, DefaultAmbientIrradiance, "ambient_irradiance")
	def(&w.ContactFriction, DefaultContactFriction, "contact_friction")
	if !l.has("magnetic_field") {
		w.MagneticField = DefaultMagneticField()
	}
	if w.Floor != nil {
		def(&w.Floor.Reflectance, DefaultReflectance, "floor", "reflectance")
	}
	if w.Arena != nil {
		def(&w.Arena.Height, DefaultHeight, "arena", "height")
	}
	for i := range w.Walls {
		def(&w.Walls[i].Thickness, DefaultThickness, "walls", i, "thickness")
		def(&w.Walls[i].Height, DefaultHeight, "walls", i, "height")
	}
	for i := range w.Boxes {
		def(&w.Boxes[i].Height, DefaultHeight, "boxes", i, "height")
		load(&w.Boxes[i].Load, "boxes", i)
	}
	for i := range w.Cylinders {
		def(&w.Cylinders[i].Height, DefaultHeight, "cylinders", i, "height")
		load(&w.Cylinders[i].Load, "cylinders", i)
	}
	setFeederDefaults(w, l, def)
	for i := range w.Boards {
		def(&w.Boards[i].Square, DefaultSquare, "boards", i, "square")
		if !l.has("boards", i, "corners") {
			w.Boards[i].Corners = DefaultCorners()
		}
	}
	for i := range w.Stations {
		def(&w.Stations[i].Radius, DefaultStationRadius, "stations", i, "radius")
		w.paint(&w.Stations[i])
	}
	d := DefaultRangeAndBearing()
	def(&w.RangeAndBearing.Range, d.Range, "range_and_bearing", "range")
	def(&w.RangeAndBearing.Loss, d.Loss, "range_and_bearing", "loss")
	def(&w.RangeAndBearing.RangeNoise, d.RangeNoise, "range_and_bearing", "range_noise")
	def(&w.RangeAndBearing.BearingNoise, d.BearingNoise, "range_and_bearing", "bearing_noise")
	for i := range w.Robots {
		r := &w.Robots[i]
		def(&r.WheelDistance, DefaultWheelDistance, "robots", i, "wheel_distance")
		if !l.has("robots", i, "selector") {
			r.Selector = DefaultSelector
		}
		name := func(v *string, value, field string) {
			if !l.has("robots", i, field) {
				*v = value
			}
		}
		name(&r.Level, LevelFirmware, "level")
		name(&r.Firmware, FirmwareExtension, "firmware")
		name(&r.IMU, IMUMPU9250, "imu")
		name(&r.Magnetometer, None, "magnetometer")
		name(&r.Ground, GroundStandard, "ground")
		name(&r.Camera, CameraOV7670, "camera")
		if r.Variation.Slip != 0 {
			def(&r.Variation.SlipLength, DefaultSlipLength, "robots", i, "variation", "slip_length")
		}
		if r.Model == "" {
			def(&r.Battery.Capacity, DefaultCapacity, "robots", i, "battery", "capacity")
		}
		r.Battery.Given = r.Model != "" && l.has("robots", i, "battery")
		def(&r.Battery.Charge, 1, "robots", i, "battery", "charge")
	}
}

// Line around a charging station.
const (
	stationLine        = 0.01 // width, m
	stationReflectance = 0.5
)

// paint draws the circle of a charging station on the floor.
func (w *World) paint(s *Station) {
	if w.Floor == nil {
		w.Floor = &Floor{Reflectance: DefaultReflectance}
	}
	w.Floor.Circles = append(w.Floor.Circles, Circle{
		Position: s.Position, Radius: s.Radius, Width: stationLine, Reflectance: stationReflectance,
	})
}
