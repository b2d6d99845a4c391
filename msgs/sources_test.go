// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
)

// Every type of Lookup has its definition among the sources.
func TestSourcesHoldEveryDefinition(t *testing.T) {
	for _, name := range msgs.Names() {
		pkg, rest, _ := strings.Cut(name, "/")
		kind, base, _ := strings.Cut(rest, "/")
		base, _, part := strings.Cut(base, "_") // a part of a service or an action
		if part && kind == "msg" {
			t.Errorf("%s: an underscore in a message's name", name)
		}
		if _, err := fs.ReadFile(msgs.Sources(), pkg+"/"+kind+"/"+base+"."+kind); err != nil {
			t.Error(err)
		}
	}
}
