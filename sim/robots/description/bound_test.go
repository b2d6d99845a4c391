// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"encoding/json"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// FuzzBound: what is read as a bound is written and read as the same.
func FuzzBound(f *testing.F) {
	for _, text := range []string{"null", `"unlimited"`, "0", "3.5", "-1", "{}", `"x"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var b, again description.Bound
		if json.Unmarshal(text, &b) != nil {
			return
		}
		out, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &again); err != nil || again != b {
			t.Errorf("%s: %+v, %+v, %v", text, b, again, err)
		}
	})
}
