// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// estimateOptions are the options of estimate.
type estimateOptions struct {
	parameters string
	processor  string
	limit      time.Duration
	against    time.Duration
	load       armcost.Load
	json       bool
}

// NewEstimateCommand returns the command that computes the cost of a program on the robot's processor.
func NewEstimateCommand(p *frame.Program) *cobra.Command {
	var o estimateOptions
	cmd := &cobra.Command{
		Use:   "estimate -- PROGRAM [ARGS]",
		Short: "Compute what a program costs the robot's processor",
		Long: "Runs a program for ARMv6 Linux on an emulated ARM1176 (qemu-arm) together with a model of its pipeline, caches and branch\n" +
			"prediction, and says at the end what it costs a Raspberry Pi Zero: instructions, cycles, time of the core, share of\n" +
			"it and energy, each with its range and the parameters that make it wide. It needs gcc and qemu-user.",
		Example: "  epuck-driver estimate -- ./mynode-armv6\n" +
			"  epuck-driver estimate --for 30s -- bin/epuck-driver-armv6 sim\n" +
			"  epuck-driver estimate --json --parameters mypi.json -- ./filter picture.raw",
		Args: programToRun,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), p.Streams, args) },
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // the flags after the program are its own
	f.StringVar(&o.parameters, "parameters", "", "`FILE` that estimate calibrate wrote; default what the literature says")
	f.StringVar(&o.processor, "processor", "", "another `NAME` than arm1176, the robot's: "+strings.Join(armcost.Processors()[1:], ", "))
	f.DurationVar(&o.limit, "for", 0, "end the program with SIGTERM after this time; 0: it ends by itself")
	f.DurationVar(&o.against, "against", 0, "time on the robot that the share and the energy are for; 0: as long as it ran here")
	f.BoolVar(&o.load.Radio, "radio", false, "the Wi-Fi is on")
	f.BoolVar(&o.load.Camera, "camera", false, "the camera is on")
	f.Float64Var(&o.load.Sent, "sent", 0, "`BYTES` sent by Wi-Fi besides what is counted with --radio, for the energy")
	f.BoolVar(&o.json, "json", false, "write JSON, with each process and thread")
	_ = cmd.MarkFlagFilename("parameters", "json") // it fails for flags that don't exist only
	cmd.MarkFlagsMutuallyExclusive("parameters", "processor")
	cmd.AddCommand(newEstimateCalibrateCommand(p))
	return cmd
}

// programToRun is the Args of estimate: the file of a program and its arguments.
func programToRun(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return frame.Usagef("no program: want its file and its arguments after --")
	}
	_, err := os.Stat(args[0])
	if err == nil {
		return nil
	}
	if near := suggest.Near(args[0], frame.NamesBelow(cmd)); len(near) > 0 {
		return frame.Usagef("no program %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return frame.Usagef("no program: %v", err)
}

func (o *estimateOptions) run(ctx context.Context, s frame.Streams, program []string) error {
	parameters, err := ReadParameters(o.parameters)
	if o.processor != "" {
		parameters, err = armcost.Processor(o.processor)
	}
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "epuck-driver-estimate-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	run := armcost.Program{Args: program, Model: parameters.Model, For: o.limit, In: os.Stdin, Out: s.Err, Err: s.Err}
	counted, err := run.Run(ctx, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", program[0], err)
	}
	r := parameters.Report(program, counted, o.against.Seconds(), o.load)
	if o.json {
		e := json.NewEncoder(s.Out)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	return writeEstimate(s.Out, r)
}

// ReadParameters reads a file of estimate calibrate; an empty name returns the values of the literature.
func ReadParameters(file string) (armcost.Parameters, error) {
	if file == "" {
		return armcost.Literature()
	}
	return armcost.ReadParameters(file)
}

// writeEstimate writes the report as text.
func writeEstimate(w io.Writer, r armcost.Report) error {
	line := func(what string, i armcost.Interval, unit string, scale float64) string {
		return fmt.Sprintf("%-26s %10.4g %-4s (%.4g to %.4g)\n", what, i.Likely*scale, unit, i.Low*scale, i.High*scale)
	}
	text := fmt.Sprintf("%-26s %10.4g M\n", "instructions", r.Total.Instructions/1e6) +
		line("cycles", r.Total.Cycles, "M", 1e-6) +
		line("  of them in the kernel", r.Total.Kernel, "M", 1e-6) +
		line("time of the core", r.Total.Seconds, "ms", 1e3) +
		line(fmt.Sprintf("share of the core in %.4g s", r.Against), r.Share, "%", 100) +
		line("energy of the processor", r.Processor, "mJ", 1e3) +
		line("energy of the board", r.Board, "J", 1) +
		fmt.Sprintf("%-26s %10.4g kB\nWhat makes the energy's range (J):\n", "sent by sockets", r.Sent/1e3)
	for _, part := range r.Energy[:min(2, len(r.Energy))] {
		text += line("  "+part.Parameter, part.Joules, "J", 1)
	}
	for i, part := range r.Total.Parts[:min(4, len(r.Total.Parts))] {
		what := "  " + part.Parameter
		if i == 0 {
			text += "What makes the range (cycles):\n"
		}
		text += line(what, part.Cycles, "M", 1e-6)
	}
	if r.Share.Likely > 1 {
		text += "It does not fit: on the robot it takes longer than that time.\n"
	}
	_, err := fmt.Fprintf(w, "%sParameters: %s\n", text, r.Parameters)
	return err
}
