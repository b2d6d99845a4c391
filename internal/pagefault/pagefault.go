// SPDX-License-Identifier: Apache-2.0

// Package pagefault turns an access to memory of a file that another process has truncated into a result: without it
// the kernel's SIGBUS ends the program.
package pagefault

import "runtime/debug"

// Caught calls f and reports whether an access to memory failed in it, which f does not survive. Every other panic of f
// continues. It concerns the calling goroutine only.
func Caught(f func()) (caught bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // what the runtime panics with, see debug.SetPanicOnFault
			caught = true
		default:
			panic(r)
		}
	}()
	f()
	return false
}
