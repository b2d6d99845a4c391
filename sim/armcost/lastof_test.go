// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"strings"
	"testing"
)

func TestLastOf(t *testing.T) {
	names := []string{}
	for _, m := range lastOf([]Mark{{Name: "now", Process: 1}, {Name: "exit", Process: 2}, {Name: "exit", Process: 1}, {Name: "now", Process: 3}}) {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "exit exit now" {
		t.Error(got)
	}
}
