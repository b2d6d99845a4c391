// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind Kind
		temp bool
	}{
		{nil, KindNone, false},
		{syscall.ENXIO, KindNAK, true}, {system.EREMOTEIO, KindNAK, true},
		{syscall.ETIMEDOUT, KindTimeout, true},
		{syscall.EAGAIN, KindArbitration, true}, {syscall.EBUSY, KindArbitration, true},
		{syscall.EIO, KindIO, true}, {syscall.EPROTO, KindIO, true}, {syscall.EINTR, KindIO, true},
		{syscall.ENODEV, KindGone, false}, {syscall.ENOTCONN, KindGone, false}, {syscall.ESHUTDOWN, KindGone, false}, {syscall.ECONNABORTED, KindGone, false}, {syscall.EBADF, KindGone, false}, {syscall.EACCES, KindGone, false},
		{ErrClosed, KindGone, false}, {os.ErrClosed, KindGone, false}, {&NoBusError{}, KindGone, false},
		{context.Canceled, KindOther, true}, {syscall.EINVAL, KindOther, true},
		{fmt.Errorf("wrapped: %w", &BusError{Err: syscall.ETIMEDOUT}), KindTimeout, true},
	} {
		if k := KindOf(c.err); k != c.kind || k.Temporary() != c.temp {
			t.Errorf("%v: kind %v, temporary %v; want %v, %v", c.err, k, k.Temporary(), c.kind, c.temp)
		}
	}
}

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := range NumKinds {
		if s := k.String(); s == "" || s == "unknown" || seen[s] {
			t.Errorf("kind %d is called %q", k, s)
		} else {
			seen[s] = true
		}
	}
	if NumKinds.String() != "unknown" {
		t.Error(NumKinds.String())
	}
}
