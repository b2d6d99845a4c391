// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK}, {context.Canceled, ExitOK}, {fmt.Errorf("x: %w", context.Canceled), ExitOK},
		{Usagef("no"), ExitUsage}, {errors.New("broken"), ExitFailed},
	} {
		var out bytes.Buffer
		p := &Program{Streams: Streams{Err: &out}}
		if got := p.report(&cobra.Command{Use: "x"}, c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}

func TestLimited(t *testing.T) {
	ctx, cancel := Limited(context.Background(), time.Nanosecond)
	<-ctx.Done()
	cancel()
	ctx, cancel = Limited(context.Background(), 0)
	if _, has := ctx.Deadline(); has || ctx.Err() != nil {
		t.Error("no time given, but limited")
	}
	cancel()
	if ctx.Err() == nil {
		t.Error("cancel does nothing")
	}
}
