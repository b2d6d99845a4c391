// SPDX-License-Identifier: Apache-2.0

//go:build system

package blackbox

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

// TestStopReportsWhatAFullDiskLost: record/stop fails with the count; record/start then refuses and makes no folder.
func TestStopReportsWhatAFullDiskLost(t *testing.T) {
	smalldisk.Run(t, 1<<20, func(t *testing.T, disk string) {
		withRobotIn(t, disk, []string{"record.cache:=1", "record.disk_share:=0.0"}, func(r *robot) {
			if ok, text := r.call("record/start"); !ok {
				t.Fatal(text)
			}
			for i := range 40 {
				r.publish(fmt.Sprintf("%02d", i) + strings.Repeat("x", 50_000))
			}
			ok, text := r.call("record/stop")
			if ok || !strings.Contains(text, "messages were not written") || !strings.Contains(text, "the disk is full") || !strings.Contains(text, disk) {
				t.Errorf("%t %s", ok, text)
			}
			smalldisk.Fill(t, disk, 16<<10)
			for range 3 {
				if ok, text := r.call("record/start"); ok || !strings.Contains(text, "the disk is full: 16.0 KiB free") {
					t.Errorf("%t %s", ok, text)
				}
			}
			if dirs, err := os.ReadDir(disk); err != nil || len(dirs) != 2 {
				t.Errorf("the bag and the filler are on the disk, but no more: %v %v", dirs, err)
			}
		})
	})
}
