// SPDX-License-Identifier: Apache-2.0

package keystore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security/keystore"
)

// A class of one robot and one student.
func ExampleCreateClass() {
	folder, err := os.MkdirTemp("", "keys")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	class, err := keystore.ParseClass([]byte("robots: [epuck1]\nstudents: {anna: [epuck1]}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(keystore.CreateClass(filepath.Join(folder, "keys"), class, time.Now))
	// Output: [/epuck1 /anna] <nil>
}
