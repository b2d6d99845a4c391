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

// errJournal is matched by a journal that can't be gone on with, with the reason.
var errJournal = errors.New("calibrate: bad journal")

// Journal is what was measured so far, in a file that is written after every step: a procedure that was interrupted
// continues from it. The zero value is a journal without a file.
type Journal struct {
	Kind  string    `json:"kind"` // wheels, spin, ir or imu
	Robot string    `json:"robot"`
	Begun time.Time `json:"begun"`
	// Geometry is what the robot was driven with, Plan the procedure with the wheels.
	Geometry wheels.Geometry `json:"geometry"`
	Plan     WheelsPlan      `json:"plan"`
	Runs     []wheels.Run    `json:"runs,omitempty"`
	// Pending is a run that was driven, and whose end is not known yet.
	Pending *wheels.Run `json:"pending,omitempty"`
	// What the other procedures measured so far.
	Spin     *spun         `json:"spin,omitempty"`
	Infrared *seenWalls    `json:"infrared,omitempty"`
	Inertial *inertialData `json:"inertial,omitempty"`

	path string
}

// NewJournal begins a journal at a path. An existing file is kept under its name with ".old" appended.
func NewJournal(path, kind, robot string, at time.Time) (*Journal, error) {
	j := &Journal{Kind: kind, Robot: robot, Begun: at, path: path}
	if err := system.Rename(path, path+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if err := j.save(); err != nil {
		back := system.Rename(path+".old", path) // so that it is found where it was
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
		return nil, fmt.Errorf("%w: %s is of %q, not of %q", errJournal, path, j.Kind, kind)
	}
	if !j.sound() {
		return nil, fmt.Errorf("%w: %s lacks what it should hold", errJournal, path)
	}
	if j.Robot != robot {
		return nil, fmt.Errorf("%w: %s is of robot %q, not of %q (--robot names it)", errJournal, path, j.Robot, robot)
	}
	return j, nil
}

// sound reports whether nothing that was measured is missing from what is there.
func (j *Journal) sound() bool {
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

// add keeps a run.
func (j *Journal) add(r wheels.Run) error {
	j.Runs, j.Pending = append(j.Runs, r), nil
	return j.save()
}

// Empty reports whether nothing was measured yet.
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

// ReplaceFile writes a file as a whole: a reader, or a loss of power, finds the old or the new one.
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
