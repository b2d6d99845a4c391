// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

// Package cheap returns how much of C's heap is in use, for tests that detect leaks: Go's tools do not count it, and
// tests cannot use cgo.
package cheap

/*
#include <malloc.h>

static size_t in_use(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
	struct mallinfo2 m = mallinfo2();
#else
	struct mallinfo m = mallinfo();
#endif
	return (size_t)m.uordblks + (size_t)m.hblkhd;
}
*/
import "C"

// InUse returns the bytes allocated by malloc and not freed.
func InUse() int { return int(C.in_use()) }
