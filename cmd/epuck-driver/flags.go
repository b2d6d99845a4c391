// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"time"
)

// parseFlags parses args with set; anything left over or unknown is a usage error.
func parseFlags(set *flag.FlagSet, args []string) error {
	set.SetOutput(io.Discard)
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return usagef("%s", "help")
		}
		return usagef("%v", err)
	}
	if set.NArg() > 0 {
		return usagef("unexpected argument %q", set.Arg(0))
	}
	return nil
}

// limited ends ctx after d; zero means no limit. Reaching it is an orderly end.
func limited(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	limit, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(d, cancel)
	return limit, func() { timer.Stop(); cancel() }
}
