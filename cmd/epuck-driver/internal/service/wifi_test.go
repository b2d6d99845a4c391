// SPDX-License-Identifier: Apache-2.0

package service

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestWifiArguments: pictures over Wi-Fi have one size, unless the command line says another.
func TestWifiArguments(t *testing.T) {
	a, err := wifiArgs([]string{"run", "--wifi", "h", frame.ROSArgs, "-p", "camera.width:=80"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", a); !strings.Contains(got, "80") || !strings.Contains(got, "120") {
		t.Errorf("parameters %s", got)
	}
}
