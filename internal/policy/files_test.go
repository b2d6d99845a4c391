// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

const licenceLine = "// SPDX-License-Identifier: Apache-2.0"

func TestFilesCarryTheirLicence(t *testing.T) {
	for _, s := range sources(t) {
		if s.Text[0] != licenceLine && !(s.Gen && len(s.Text) > 3 && strings.Contains(strings.Join(s.Text[:4], "\n"), licenceLine)) {
			t.Errorf("%s: the first line is not %q", s.Path, licenceLine)
		}
	}
}
