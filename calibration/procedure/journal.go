// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// errJournal is matched by errors about a journal from which a calibration can't continue.
var errJournal = errors.New("calibrate: bad journal")

// Journal holds the measurements so far. Its file is written after every step, so that an interrupted procedure can
// continue. The zero value is a journal without a file.
type Journal struct {
	Kind  string    `json:"kind"` // wheels, spin, ir or imu
	Robot string    `json:"robot"`
	Begun time.Time `json:"begun"`
	// Geometry is the geometry with which the robot was driven, Plan the procedure for the wheels.
	Geometry wheels.Geometry `json:"geometry"`
	Plan     WheelsPlan      `json:"plan"`
	Runs     []wheels.Run    `json:"runs,omitempty"`
	// Pending is a run that was driven, but whose end was not measured yet.
	Pending *wheels.Run `json:"pending,omitempty"`
	// The measurements of the other procedures so far.
	Spin     *spinData     `json:"spin,omitempty"`
	Infrared *wallScans    `json:"infrared,omitempty"`
	Inertial *inertialData `json:"inertial,omitempty"`

	path string
}

// NewJournal starts a journal in a file. An existing file is renamed to its name with ".old" appended.
func NewJournal(path, kind, robot string, at time.Time) (*Journal, error) {
	j := &Journal{Kind: kind, Robot: robot, Begun: at, path: path}
	if err := system.Rename(path, path+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if err := j.save(); err != nil {
		back := system.Rename(path+".old", path) // restores the existing journal
		if errors.Is(back, os.ErrNotExist) {
			back = nil
		}
		return nil, errors.Join(err, back)
	}
	return j, nil
}

// OpenJournal reads the journal of an interrupted calibration. It fails if the file can't be read (the error matches
// those of package os), is incomplete, or belongs to another kind of calibration or another robot; the error names the
// file and both values.
func OpenJournal(path, kind, robot string) (*Journal, error) {
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	j := &Journal{path: path}
	if err := json.Unmarshal(data, j); err != nil {
		return nil, filekind.ExplainData(path, data, fmt.Errorf("%w: %s: %w", errJournal, path, err), filekind.JSON)
	}
	if j.Kind != kind {
		return nil, fmt.Errorf("%w: %s is of kind %q, not %q", errJournal, path, j.Kind, kind)
	}
	if !j.complete() {
		return nil, fmt.Errorf("%w: %s lacks required fields", errJournal, path)
	}
	if j.Robot != robot {
		return nil, fmt.Errorf("%w: %s is of robot %q, not of %q (set by --robot)", errJournal, path, j.Robot, robot)
	}
	return j, nil
}

// complete reports whether all required fields are present.
func (j *Journal) complete() bool {
	if s := j.Infrared; s != nil && slices.Contains(s.Walls, nil) {
		return false
	}
	if i := j.Inertial; i != nil {
		for _, f := range i.Field {
			if f == nil || !(f.Done >= 0 && f.Done <= 1.1) {
				return false
			}
		}
		return i.Faces != nil && i.Field != nil
	}
	return true
}

// add appends a run and saves the journal.
func (j *Journal) add(r wheels.Run) error {
	j.Runs, j.Pending = append(j.Runs, r), nil
	return j.save()
}

// Empty reports whether the journal has no measurements.
func (j *Journal) Empty() bool {
	return len(j.Runs) == 0 && j.Pending == nil && j.Spin == nil && j.Infrared == nil && j.Inertial == nil
}

func (j *Journal) save() error {
	if j.path == "" {
		return nil
	}
	data, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	return ReplaceFile(j.path, data)
}

// ReplaceFile replaces a file atomically, also across a power loss: readers find the old or the new content. Missing
// folders are created, and an existing file's mode is kept.
func ReplaceFile(path string, data []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	_, werr := f.Write(data)
	mode := os.FileMode(0o644)
	if s, err := os.Stat(path); err == nil {
		mode = s.Mode().Perm()
	}
	err = errors.Join(werr, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = system.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("calibrate: %w", errors.Join(err, os.Remove(f.Name())))
	}
	if err := system.SyncDir(folder); err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	return nil
}
