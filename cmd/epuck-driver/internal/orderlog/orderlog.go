// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package orderlog

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

var (
	errEmpty  = errors.New("it is empty")
	errDiffer = errors.New("the runs differ")
)

// Read reads a log. An empty one is an error.
func Read(name string) ([]order.Run, error) {
	file, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	all, err := order.ReadRecord(file)
	if err == nil && len(all) == 0 {
		err = errEmpty
	}
	if err != nil {
		return nil, filekind.Explain(name, fmt.Errorf("%s: %w", name, err))
	}
	return all, nil
}

// NewDiff returns the command that compares two logs.
func NewDiff(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "order-diff RUN1 RUN2",
		Short: "Compare two logs of --order-log",
		Long: "Prints the first difference of two logs that sim --order-log has written, and the line of each with the callback\n" +
			"that made it: one that ran earlier, at another time or for another message, or that sent something else. The exit\n" +
			"status is 1 if the runs differ.",
		Example: "  epuck-driver sim order-diff run1.order run2.order",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, names []string) error {
			var runs [2][]order.Run
			for i, name := range names {
				var err error
				if runs[i], err = Read(name); err != nil {
					return err
				}
			}
			return compare(p.Out, names, runs)
		},
	}
}

// compare writes the first difference of two runs and returns errDiffer if there is one.
func compare(w io.Writer, names []string, runs [2][]order.Run) error {
	difference := order.Difference(runs[0], runs[1])
	if difference == "" {
		_, err := fmt.Fprintf(w, "The runs are the same: %d callbacks.\n", len(runs[0]))
		return err
	}
	if _, err := fmt.Fprintln(w, difference); err != nil {
		return err
	}
	at := firstDifference(runs[0], runs[1])
	for i, name := range names {
		line := "(end)"
		if at < len(runs[i]) {
			line = runs[i][at].String()
		}
		if _, err := fmt.Fprintf(w, "%s:%d: %s\n", name, at+1, line); err != nil {
			return err
		}
	}
	return errDiffer
}

// firstDifference returns the index of the first run that differs.
func firstDifference(a, b []order.Run) int {
	n := min(len(a), len(b))
	for i := range n {
		if order.Difference(a[i:i+1], b[i:i+1]) != "" {
			return i
		}
	}
	return n
}
