// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// newBagCommand records and plays rosbag2's files.
func newBagCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bag",
		Short: "Record and play topics, in rosbag2's files",
		Long: "Records topics into MCAP files as rosbag2 writes them and plays them, without rosbag2: on the robot or any PC.\n" +
			"Foxglove, PlotJuggler and \"ros2 bag\" open the files.",
		Example: "  epuck-driver bag record --all -o run1\n  epuck-driver bag info run1\n  epuck-driver bag play run1 --rate 2",
	}
	cmd.AddCommand(newBagRecordCommand(p), newBagPlayCommand(p), newBagInfoCommand(p), newBagRecoverCommand(p))
	return cmd
}

// several adds a flag that takes all words up to the next flag, as rosbag2's do.
func several(f *pflag.FlagSet, to *[]string, name, usage string) {
	f.StringArrayVar(to, name, nil, usage)
	annotate(f, name, shell.SeveralValues)
}

// annotate annotates a flag that was just added.
func annotate(f *pflag.FlagSet, name, annotation string) {
	_ = f.SetAnnotation(name, annotation, []string{"yes"}) // fails for unknown names only
}

// progress shows how far a long work is, on a terminal only.
type progress struct {
	w     io.Writer // nil elsewhere
	width int
}

// newProgress shows on standard error if that is a terminal.
func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &progress{w: w}
		}
	}
	return &progress{}
}

// show draws the bar for a share from 0 to 1.
func (b *progress) show(share float64, text string) {
	if b.w == nil {
		return
	}
	const bars = 30
	n := int(max(0, min(1, share)) * bars)
	line := fmt.Sprintf("[%s%s] %3.0f %% %s", strings.Repeat("#", n), strings.Repeat(" ", bars-n), share*100, text)
	fmt.Fprintf(b.w, "\r%-*s", b.width, line)
	b.width = len(line)
}

// end takes the bar away.
func (b *progress) end() {
	if b.w != nil && b.width > 0 {
		fmt.Fprintf(b.w, "\r%*s\r", b.width, "")
	}
}
