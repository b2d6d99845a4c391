// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/types.h>
#include <rcutils/error_handling.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// rcl stores the text of an error in thread-local memory. rclgo fetches it in a second call, when the goroutine may be
// on another thread, does not reset it, which disturbs the next error, and appends a stack trace. So every call that
// may fail is made with call or check, which avoid these faults.

// call calls a function of rclgo on one thread and returns its error with rcl's text.
func call(what string, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := f()
	if err == nil {
		return nil
	}
	C.rcutils_reset_error()
	return &callError{what: what, text: firstLine(err.Error()), cause: err}
}

// check calls a function of rcl on one thread.
func check(what string, f func() C.rcl_ret_t) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	code := f()
	if code == C.RCL_RET_OK {
		return nil
	}
	text := C.rcutils_get_error_string()
	C.rcutils_reset_error()
	return &callError{what: what, text: C.GoString(&text.str[0]), cause: returnCode(code)}
}

// callError is a failed call.
type callError struct {
	what, text string
	cause      error
}

func (e *callError) Error() string {
	var code returnCode
	if errors.As(e.cause, &code) {
		return fmt.Sprintf("%s: %v: %s (%v)", e.what, ErrRCL, e.text, code)
	}
	return fmt.Sprintf("%s: %v: %s", e.what, ErrRCL, e.text)
}

func (e *callError) Unwrap() []error { return []error{ErrRCL, e.cause} }

// returnCode is a value of rcl_ret_t.
type returnCode int

func (c returnCode) Error() string { return fmt.Sprintf("rcl_ret_t %d", int(c)) }

// Return codes that are not errors (rcl/types.h).
const (
	codeTimeout       = returnCode(C.RCL_RET_TIMEOUT)
	codeUnsupported   = returnCode(C.RCL_RET_UNSUPPORTED)
	codeEventNoTake   = returnCode(C.RCL_RET_EVENT_TAKE_FAILED)
	codeServiceNoTake = returnCode(C.RCL_RET_SERVICE_TAKE_FAILED)
	codeClientNoTake  = returnCode(C.RCL_RET_CLIENT_TAKE_FAILED)
)

// firstLine removes rclgo's stack trace.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSpace(s)
}
