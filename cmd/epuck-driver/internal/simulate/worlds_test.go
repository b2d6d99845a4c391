// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"strings"
	"testing"
)

func TestMisspelledWorldsGetASuggestion(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"mase", "did you mean maze?"}, {"arenna", "did you mean arena?"}, {"zzzzzz", "there are arena"},
	} {
		if _, err := loadWorld(c.name, "", "", nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
