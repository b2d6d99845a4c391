// SPDX-License-Identifier: Apache-2.0

//go:build linux && (amd64 || arm64)

package m2m

import "unsafe"

// A program for an architecture on which the structures differ from the kernel's does not compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(buffer{})-88]
	_ = [1]struct{}{}[unsafe.Sizeof(format{})-208]
	_ = [1]struct{}{}[unsafe.Sizeof(plane{})-64]
)
