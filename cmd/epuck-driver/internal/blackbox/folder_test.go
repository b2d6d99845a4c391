// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"os"
	"testing"
)

func TestBagsGoIntoTheServicesFolder(t *testing.T) {
	t.Setenv("STATE_DIRECTORY", "/var/lib/x")
	if got := bagsFolder(); got != "/var/lib/x/bags" {
		t.Error(got)
	}
	if err := os.Unsetenv("STATE_DIRECTORY"); err != nil {
		t.Fatal(err)
	}
	if got := bagsFolder(); got != "bags" {
		t.Error(got)
	}
}
