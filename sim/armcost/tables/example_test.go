// SPDX-License-Identifier: Apache-2.0

package tables_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
)

// What the table says of the share of a core of 1 GHz that an idle driver takes, at 20 control cycles a second.
func ExampleShipped() {
	table, err := tables.Shipped()
	if err != nil {
		fmt.Println(err)
		return
	}
	cycle, err := table.Cycles("cmd/epuck-driver CostCycle/nothing")
	share := 20 * cycle.Likely / 1e9
	fmt.Println(share > 0.003 && share < 0.015, err)
	// Output: true <nil>
}
