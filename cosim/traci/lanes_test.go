// SPDX-License-Identifier: Apache-2.0

//go:build peers

package traci_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// ownRobots are two robots of the world's: one on a lane, one outside the network.
const ownRobots = `
name: cross
robots:
  - {name: own, level: functional, position: [2.6, 1.7]}
  - {name: far, level: functional, position: [-2, -2]}
`

// SUMO's own client sends robots along the lanes of a network: all arrive on the lanes of their routes, without a
// collision and without crossing at red; those of the client leave the world there, one of the world's own stays.
func TestPythonClientDrivesOnLanes(t *testing.T) {
	g := serveCross(t, ownRobots)
	facts := map[string]any{}
	for _, line := range strings.Split(strings.TrimSpace(python(t, "lanes.py", g.port())), "\n") {
		var fact [2]any
		if err := json.Unmarshal([]byte(line), &fact); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		facts[fmt.Sprint(fact[0])] = fact[1]
	}
	g.over()
	for what, want := range map[string]string{
		"own": "[ce_0 0.1 [ce]]", "far": "[ []]", "departed": "[ahead right round second]",
		"arrived": "[ahead behind left right round second]", "left": "[far own]", "red": "[]", "collisions": "0",
		"leader": "second", "stopped": "[ahead]", "own is": "[ec true ec]",
		"ways": "map[ahead:[ec_0 ec_1 cw_1] behind:[wc_0 ce_0 ep_0] left:[wc_1 cn_0] own:[ce_0 ce_1 ec_1] " +
			"right:[wc_0 cs_0] round:[nc_0 ce_1 ce_0 ep_0 pn_0] second:[nc_0 ce_1 ce_0 ep_0 pn_0]]",
	} {
		if got := fmt.Sprint(facts[what]); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
}
