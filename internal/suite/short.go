// SPDX-License-Identifier: Apache-2.0

//go:build !long

package suite

// Long reports whether make test-long runs the test: with all seeds, sizes and combinations instead of a few.
const Long = false
