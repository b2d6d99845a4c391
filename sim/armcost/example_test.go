// SPDX-License-Identifier: Apache-2.0

package armcost_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

func ExampleParameters_Of() {
	p, err := armcost.Literature()
	if err != nil {
		fmt.Println(err)
		return
	}
	marks, err := armcost.ParseCounts([]byte("mark exit 1 0 instructions=1000000 cycles=1200000 load_misses=5000\nend exit 1\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	e := p.Of(armcost.Sum(marks[0].Threads))
	fmt.Printf("%.2f ms (%.2f to %.2f), mostly for %s\n", e.Seconds.Likely*1e3, e.Seconds.Low*1e3, e.Seconds.High*1e3, e.Parts[0].Parameter)
	fmt.Printf("%.1f %% of the core if it comes 20 times a second\n", 100*e.Share(1./20).Likely)
	// Output:
	// 1.42 ms (1.34 to 1.58), mostly for pipeline
	// 2.8 % of the core if it comes 20 times a second
}
