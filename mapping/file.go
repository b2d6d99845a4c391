// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// errFile is matched by errors about a file that holds no map.
var errFile = errors.New("mapping: file of a map")

// Mode is the encoding of cells as pixels of a map's picture (map_server's parameter mode).
type Mode string

// The modes.
const (
	// Trinary distinguishes free, occupied and unknown.
	Trinary Mode = "trinary"
	// Scale keeps the probabilities between free and occupied; unknown cells are transparent, so it needs PNG.
	Scale Mode = "scale"
	// Raw writes the values themselves; everything above 100 is unknown.
	Raw Mode = "raw"
)

// FileOptions are the options of [Map.Save]. The zero value of a field is its default.
type FileOptions struct {
	Mode Mode // defaults to Trinary
	// Format is the format of the picture: pgm or png. It defaults to pgm, and to png in mode Scale.
	Format string
	// OccupiedThreshold and FreeThreshold are the probabilities from and up to which a cell counts as occupied and
	// free; they default to 0.65 and 0.196. The second is ROS 1's: with map_saver's 0.25 the grey value of unknown
	// cells would be read as free.
	OccupiedThreshold, FreeThreshold float64
}

// description is the content of a map's YAML file.
type description struct {
	Image             string     `yaml:"image"`
	Mode              Mode       `yaml:"mode,omitempty"`
	Resolution        float64    `yaml:"resolution"`
	Origin            [3]float64 `yaml:"origin,flow"`
	Negate            flag       `yaml:"negate"`
	OccupiedThreshold float64    `yaml:"occupied_thresh"`
	FreeThreshold     float64    `yaml:"free_thresh"`
}

// flag is a boolean that may be written as a number.
type flag bool

// UnmarshalYAML accepts 0, 1, false and true.
func (f *flag) UnmarshalYAML(n *yaml.Node) error {
	switch n.Value {
	case "0", "false", "False", "FALSE":
		*f = false
	case "1", "true", "True", "TRUE":
		*f = true
	default:
		return fmt.Errorf("line %d: negate is %q, want 0 or 1", n.Line, n.Value)
	}
	return nil
}

// MarshalYAML writes 0 or 1.
func (f flag) MarshalYAML() (any, error) {
	if f {
		return 1, nil
	}
	return 0, nil
}

// check fills in map_server's defaults and rejects what it would reject.
func (d *description) check() error {
	if d.Mode == "" {
		d.Mode = Trinary
	}
	switch {
	case d.Image == "":
		return fmt.Errorf("%w: no image", errFile)
	case d.Mode != Trinary && d.Mode != Scale && d.Mode != Raw:
		return fmt.Errorf("%w: mode %q, want trinary, scale or raw", errFile, d.Mode)
	case !(d.Resolution > 0) || !finite(d.Resolution):
		return fmt.Errorf("%w: resolution %v", errFile, d.Resolution)
	case !finite(d.Origin[0]) || !finite(d.Origin[1]) || !finite(d.Origin[2]):
		return fmt.Errorf("%w: origin %v", errFile, d.Origin)
	case !(d.FreeThreshold >= 0 && d.OccupiedThreshold <= 1 && d.FreeThreshold < d.OccupiedThreshold):
		return fmt.Errorf("%w: free_thresh %v, occupied_thresh %v: want 0 ≤ free < occupied ≤ 1", errFile,
			d.FreeThreshold, d.OccupiedThreshold)
	}
	return nil
}

// Save writes a map as Nav2's map_saver does: NAME.yaml and next to it NAME.pgm or NAME.png. An old map of that name
// is replaced, unless there is an error, such as a full disk: then its files are unchanged. It fails if an option, the
// resolution or the origin is out of range or the format cannot hold the mode (the error names it with its value), with
// [ErrSize] if the number of cells is not that of the map's size, and with the file system's error.
func (m *Map) Save(name string, o FileOptions) error {
	d := description{
		Mode: o.Mode, Resolution: m.Resolution, Origin: [3]float64{m.X, m.Y},
		OccupiedThreshold: o.OccupiedThreshold, FreeThreshold: o.FreeThreshold,
	}
	if d.OccupiedThreshold == 0 {
		d.OccupiedThreshold = 0.65
	}
	if d.FreeThreshold == 0 {
		d.FreeThreshold = 0.196
	}
	format := o.Format
	if format == "" && o.Mode == Scale {
		format = "png"
	}
	if format == "" {
		format = "pgm"
	}
	name = strings.TrimSuffix(name, ".yaml")
	d.Image = filepath.Base(name) + "." + format
	if err := d.check(); err != nil {
		return err
	}
	picture, err := m.encode(&d, format)
	if err != nil {
		return err
	}
	text, err := yaml.Marshal(&d)
	if err != nil {
		return fmt.Errorf("%w: %w", errFile, err)
	}
	return replace([]newFile{{path: name + "." + format, data: picture}, {path: name + ".yaml", data: text}})
}

// newFile is a file that is to replace another.
type newFile struct {
	path string
	data []byte
	temp string // its path until all files are written
}

// replace writes temporary files first and renames them when all of them are on the disk: after an error such as a
// full disk, or a power cut before the renames, the old files are unchanged.
func replace(files []newFile) (err error) {
	defer func() {
		for _, f := range files {
			if f.temp != "" {
				err = errors.Join(err, os.Remove(f.temp))
			}
		}
	}()
	for i := range files {
		if err := files[i].write(); err != nil {
			return fmt.Errorf("writing %s: %w", files[i].path, err)
		}
	}
	for i := range files {
		if err := system.Rename(files[i].temp, files[i].path); err != nil {
			return err
		}
		files[i].temp = ""
	}
	return nil
}

// write writes the data to a temporary file.
func (n *newFile) write() error {
	f, err := os.CreateTemp(filepath.Dir(n.path), filepath.Base(n.path)+".*")
	if err != nil {
		return err
	}
	n.temp = f.Name()
	_, err = f.Write(n.data)
	return errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
}

// maxFileSize is the maximum size of a file that is read, bytes.
const maxFileSize = 64 << 20

// Load reads a map that [Map.Save], map_saver or a drawing program wrote. A map whose origin has a yaw is rotated as
// by [Map.Moved]. It fails if the YAML file or its image is malformed, larger than 64 MiB or no regular file (the
// error names the file and the bad field or pixel), with [ErrSize] as [Frame.Check] does, and with the file system's
// error.
func Load(path string) (*Map, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	d := description{OccupiedThreshold: 0.65, FreeThreshold: 0.25}
	if err := yaml.Unmarshal(text, &d); err != nil {
		return nil, filekind.ExplainData(path, text, fmt.Errorf("%w: %s: %w", errFile, path, err), filekind.MapYAML)
	}
	if err := d.check(); err != nil {
		return nil, filekind.ExplainData(path, text, fmt.Errorf("%s: %w", path, err), filekind.MapYAML)
	}
	image := d.Image
	if !filepath.IsAbs(image) {
		image = filepath.Join(filepath.Dir(path), image)
	}
	picture, err := read(image)
	if err != nil {
		return nil, err
	}
	m, err := decode(&d, picture)
	if err != nil {
		return nil, filekind.ExplainData(image, picture, fmt.Errorf("%s: %w", image, err), filekind.PGM, filekind.PNG)
	}
	if m, err = m.Moved(Pose{X: d.Origin[0], Y: d.Origin[1], Theta: d.Origin[2]}); err != nil {
		return nil, fmt.Errorf("%s: origin %v: %w", path, d.Origin, err)
	}
	return m, nil
}

// read reads a file up to maxFileSize.
func read(path string) ([]byte, error) {
	data, err := regular.Read(path, maxFileSize)
	if errors.Is(err, regular.ErrKind) || errors.Is(err, regular.ErrLarge) {
		return nil, fmt.Errorf("%w: %w", errFile, err)
	}
	return data, err
}
