// SPDX-License-Identifier: Apache-2.0

// Command shape_main publishes or subscribes coloured shapes, for the OMG's DDS-RTPS interoperability suite (see
// package shapes).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code) //nolint:forbidigo // this is main
}

// Exit codes.
const (
	exitOK = iota
	exitArguments
	exitRunning
)

// run is main with its arguments and outputs as parameters.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	o, err := shapes.ParseArgs(args)
	switch {
	case errors.Is(err, shapes.ErrHelp):
		_, _ = io.WriteString(out, shapes.Usage())
		return exitOK
	case err != nil:
		_, _ = fmt.Fprintln(out, err) // where the suite looks for it
		return exitArguments
	}
	level := slog.LevelError
	if o.Debug {
		level = slog.LevelDebug
	}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	if err := shapes.Run(ctx, shapes.Config{Options: o, Out: out, Logger: logger}); err != nil {
		_, _ = fmt.Fprintln(out, err)
		return exitRunning
	}
	_, _ = fmt.Fprintln(out, "Done.")
	return exitOK
}
