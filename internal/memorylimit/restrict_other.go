// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package memorylimit

import "testing"

// bounded reports whether the system can bound a process's data.
const bounded = false

// restrict is not called.
func restrict(*testing.T, uint64) {}
