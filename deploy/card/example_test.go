// SPDX-License-Identifier: Apache-2.0

package card_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/deploy/card"
)

func ExampleParse() {
	settings, mistakes := card.Parse([]byte("name = robot7\r\nros_domain = 300\r\n"))
	fmt.Println(settings.Name)
	fmt.Println(mistakes[0])
	fmt.Println(card.First(mistakes), settings.Check())
	// Output:
	// robot7
	// epuck.txt, line 2, ros_domain: "300" is not a number from 0 to 232
	// value <nil>
}
