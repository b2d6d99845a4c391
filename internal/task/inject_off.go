// SPDX-License-Identifier: Apache-2.0

//go:build !injectpanic

package task

// begin runs the work of a goroutine.
func begin(_ string, f func()) { f() }
