// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A run in which no callback has run leaves no log that its own replay would refuse, and says what to do.
func TestOrderWithoutCallbacks(t *testing.T) {
	log := filepath.Join(t.TempDir(), "run.order")
	o, err := parseSim("--order fixed --order-log " + log)
	if err != nil {
		t.Fatal(err)
	}
	f, err := o.order.prepare(ros2test.NewTransport())
	if err != nil {
		t.Fatal(err)
	}
	err = f.end()
	if !errors.Is(err, errEmptyLog) || !strings.Contains(err.Error(), log+" is not written") || !strings.Contains(err.Error(), "--members") {
		t.Error(err)
	}
	if _, err := os.Stat(log); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the log: %v", err)
	}
}
