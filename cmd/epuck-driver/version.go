// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the build (-ldflags -X); a plain "go build" leaves it to the module's own version.
var version = ""

func runVersion(_ context.Context, s streams, args []string) error {
	if len(args) != 0 {
		return usagef("takes no arguments, got %q", args)
	}
	fmt.Fprintf(s.out, "epuck-driver %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
