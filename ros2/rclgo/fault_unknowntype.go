// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"runtime"

	"github.com/tiiuae/rclgo/pkg/rclgo"
	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// Where a package is installed but has no message of a name, rclgo closes the
// package's library, loses the linker's error that way, returns a type support
// that is nil, and closes the library a second time when that is collected: which
// pulls it from under those who use it.

// loadMessageSupport is rclgo.LoadDynamicMessageTypeSupport with an error for
// messages that do not exist.
func loadMessageSupport(pkg, name string) (types.MessageTypeSupport, error) {
	support, err := rclgo.LoadDynamicMessageTypeSupport(pkg, name)
	if err == nil && support.TypeSupport() == nil {
		runtime.SetFinalizer(support, nil)
		return nil, fmt.Errorf("package %s has no message %s", pkg, name)
	}
	return support, err
}
