// SPDX-License-Identifier: Apache-2.0

package pki_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/pki"
)

// An identity without its files is refused, with the file that is wrong.
func ExampleNew() {
	_, err := pki.New(pki.Config{})
	fmt.Println(errors.Is(err, pki.ErrIdentity), errors.Is(err, pki.ErrAuthentication))
	_, err = pki.ParseKey(nil)
	fmt.Println(err != nil)
	// Output:
	// true false
	// true
}
