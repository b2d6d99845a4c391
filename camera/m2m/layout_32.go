// SPDX-License-Identifier: Apache-2.0

//go:build linux && (arm || 386)

package m2m

import "unsafe"

// A program for an architecture on which the structures differ from the kernel's does not compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(buffer{})-68]
	_ = [1]struct{}{}[unsafe.Sizeof(format{})-204]
	_ = [1]struct{}{}[unsafe.Sizeof(plane{})-60]
)
