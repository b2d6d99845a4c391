// SPDX-License-Identifier: Apache-2.0

package permissions_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/permissions"
)

// Documents are checked completely before they are used.
func ExampleParseGovernance() {
	_, err := permissions.ParseGovernance([]byte("<dds/>"))
	fmt.Println(errors.Is(err, permissions.ErrGovernance))
	_, err = permissions.ParseDocument([]byte("<dds/>"))
	fmt.Println(errors.Is(err, permissions.ErrPermissions), errors.Is(err, permissions.ErrSubject))
	// Output:
	// true
	// true false
}
