// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// calibrateTarget has the options of estimate calibrate.
type calibrateTarget struct {
	host     string
	ssh      string
	emulated bool
	out      string
}

// newEstimateCalibrateCommand returns the command that measures the parameters of estimate.
func newEstimateCalibrateCommand(p *frame.Program) *cobra.Command {
	var o calibrateTarget
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure the parameters of estimate on a Raspberry Pi Zero",
		Long: "Compiles a program of small loops for ARMv6, runs it on a Raspberry Pi Zero by ssh, which takes a few seconds, and\n" +
			"writes the parameters that come out of their times: the core's clock, what misses of caches and TLB take, wrong\n" +
			"branches, system calls, datagrams. The Pi must have nothing else to do. It needs gcc-arm-linux-gnueabi here.",
		Example: "  epuck-driver estimate calibrate --host pi@epuck --out mypi.json\n" +
			"  epuck-driver estimate --parameters mypi.json -- ./mynode-armv6",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), p.Streams) },
	}
	f := cmd.Flags()
	f.StringVar(&o.host, "host", "", "where to measure: [`USER`@]HOST for ssh")
	f.StringVar(&o.ssh, "ssh", "ssh", "the `PROGRAM` that logs in")
	f.BoolVar(&o.emulated, "emulated", false, "try it out on qemu-arm, whose times mean nothing")
	f.StringVar(&o.out, "out", "", "`FILE` for the parameters; default standard output")
	_ = cmd.MarkFlagFilename("out", "json") // it fails for flags that don't exist only
	return cmd
}

// onHost is the shell script that reads a program from standard input, runs it and removes it.
const onHost = `f=$(mktemp) && cat >"$f" && chmod 700 "$f" && "$f"; s=$?; rm -f "$f"; exit $s`

func (o *calibrateTarget) run(ctx context.Context, s frame.Streams) error {
	if (o.host == "") != o.emulated {
		return frame.Usagef("one of --host and --emulated says where to measure")
	}
	if err := outfile.Files(o.out); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	dir, err := os.MkdirTemp("", "epuck-driver-calibrate-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	kernels, err := armcost.BuildKernels(ctx, dir)
	if err != nil {
		return err
	}
	where := "on " + o.host
	cmd := exec.CommandContext(ctx, o.ssh, o.host, onHost)
	if o.emulated {
		where = "on an emulator: they mean nothing"
		cmd = armcost.Emulator{}.Command(ctx, kernels)
	} else {
		program, err := regular.Read(kernels, 64<<20)
		if err != nil {
			return err
		}
		cmd.Stdin = bytes.NewReader(program)
	}
	var problem bytes.Buffer
	cmd.Stderr = &problem
	times, err := cmd.Output()
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", cmd.Path, err), errors.New(problem.String()))
	}
	timings, err := armcost.ParseTimings(times)
	if err != nil {
		return err
	}
	base, err := armcost.Literature()
	if err != nil {
		return err
	}
	found, err := armcost.Calibrate(base, timings, "measured "+time.Now().UTC().Format(time.DateOnly)+" "+where)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(found, "", "  ")
	if err != nil {
		return err
	}
	return o.write(s, append(text, '\n'))
}

// write writes the parameters to the file, atomically, or to standard output.
func (o *calibrateTarget) write(s frame.Streams, text []byte) error {
	if o.out == "" {
		_, err := s.Out.Write(text)
		return err
	}
	return report.Whole(o.out, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
