// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"errors"
	"testing"
)

func TestToolsThatAreMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := BuildPlugin(t.Context(), t.TempDir()); !errors.Is(err, errTools) {
		t.Errorf("%v, want %v", err, errTools)
	}
}
