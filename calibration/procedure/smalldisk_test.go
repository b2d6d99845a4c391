// SPDX-License-Identifier: Apache-2.0

//go:build system

package procedure

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

// TestFullDiskLeavesTheOldCalibration: parameters, the camera's calibration and a journal that is begun anew.
func TestFullDiskLeavesTheOldCalibration(t *testing.T) {
	smalldisk.Run(t, 1<<20, func(t *testing.T, disk string) {
		at := func(name string) string { return filepath.Join(disk, name) }
		writes := map[string]func(v float64) error{
			"parameters.yaml": func(v float64) error {
				return Store(at("parameters.yaml"), "epuck_driver", []Setting{{"wheel_radius", v}})
			},
			"camera.yaml": func(v float64) error {
				return caminfo.Save(at("camera.yaml"), caminfo.Ideal("a", 64, 48, v, v, 32, 24))
			},
			"journal.json": func(v float64) error {
				_, err := NewJournal(at("journal.json"), "wheels", fmt.Sprint("robot", v), time.Unix(int64(v), 0))
				return err
			},
		}
		old := map[string]string{}
		for name, write := range writes {
			if err := write(1); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(at(name))
			if err != nil {
				t.Fatal(err)
			}
			old[name] = string(data)
		}
		smalldisk.Fill(t, disk, 0)
		for name, write := range writes {
			if err := write(2); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s: %v, want a full disk", name, err)
			}
			if data, err := os.ReadFile(at(name)); err != nil || string(data) != old[name] {
				t.Errorf("%s: %v, %q, want %q", name, err, data, old[name])
			}
		}
		if files, err := os.ReadDir(disk); err != nil || len(files) != len(writes)+1 {
			t.Errorf("%v %v, want the old files and the filler", files, err)
		}
	})
}
