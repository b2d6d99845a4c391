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
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxFileSize is the longest world file that is read, bytes.
const MaxFileSize = 16 << 20

// Parse reads the text of a world file, which may not have a floor picture.
// Every error wraps ErrWorld and names the field and its line.
func Parse(data []byte) (*World, error) { return parse(data, nil) }

// parse reads a world file whose pictures lie in a file system.
func parse(data []byte, pictures fs.FS) (*World, error) {
	if len(data) > MaxFileSize {
		return nil, fmt.Errorf("%w: file of %d bytes, at most %d", ErrWorld, len(data), MaxFileSize)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrWorld, strings.TrimPrefix(err.Error(), "yaml: "))
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
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: line %d: a second document", ErrWorld, more.Line)
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

// LoadFile reads the world file at a path, and its picture from the same
// folder or one in it.
func LoadFile(path string) (*World, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	defer func() { _ = folder.Close() }()
	return load(f, path, folder.FS())
}

// LoadFS reads the world file of a name, and its picture, from a file system.
func LoadFS(files fs.FS, name string) (*World, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	beside, err := fs.Sub(files, filepath.ToSlash(filepath.Dir(name)))
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	return load(f, name, beside)
}

func load(f io.Reader, name string, pictures fs.FS) (*World, error) {
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	w, err := parse(data, pictures)
	if err != nil {
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
		return fmt.Errorf("%w: line %d: must be a mapping of fields", ErrWorld, root.Line)
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
			return fmt.Errorf("%w: line %d: %s: must not be empty", ErrWorld, item.Line, pathString(here))
		}
		if err := checkItems(item, here); err != nil {
			return err
		}
	}
	return nil
}

// decodeError puts the path before the decoder's first complaint, which begins
// with its line.
func decodeError(l locator, err error) error {
	var te *yaml.TypeError
	if !errors.As(err, &te) || len(te.Errors) == 0 {
		return fmt.Errorf("%w: %s", ErrWorld, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	line := 0
	text := te.Errors[0]
	if _, serr := fmt.Sscanf(text, "line %d:", &line); serr != nil {
		return fmt.Errorf("%w: %s", ErrWorld, text)
	}
	_, text, _ = strings.Cut(text, ": ")
	return fmt.Errorf("%w: line %d: %s: %s", ErrWorld, line, l.pathAt(line), text)
}

// setDefaults fills in what the file leaves out.
func setDefaults(w *World, l locator) {
	def := func(v *float64, value float64, path ...any) {
		if !l.has(path...) {
			*v = value
		}
	}
	def(&w.AmbientIrradiance, DefaultAmbientIrradiance, "ambient_irradiance")
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
	}
	for i := range w.Cylinders {
		def(&w.Cylinders[i].Height, DefaultHeight, "cylinders", i, "height")
	}
	for i := range w.Boards {
		def(&w.Boards[i].Square, DefaultSquare, "boards", i, "square")
		if !l.has("boards", i, "corners") {
			w.Boards[i].Corners = DefaultCorners()
		}
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
		def(&r.Battery.Capacity, DefaultCapacity, "robots", i, "battery", "capacity")
		def(&r.Battery.Charge, 1, "robots", i, "battery", "charge")
	}
}
