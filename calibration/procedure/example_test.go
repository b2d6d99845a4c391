// SPDX-License-Identifier: Apache-2.0

package procedure_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
)

func ExampleStore() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "params.yaml")
	fmt.Println(procedure.Store(path, "epuck_driver", []procedure.Setting{{Name: "wheel_radius", Value: 0.0201}}))
	text, err := os.ReadFile(path)
	fmt.Print(string(text), err)
	// Output:
	// <nil>
	// epuck_driver:
	//   ros__parameters:
	//     wheel_radius: 0.0201
	// <nil>
}
