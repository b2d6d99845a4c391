// SPDX-License-Identifier: Apache-2.0

//go:build !arm

// Package studies implements the commands that compute without a network: experiments with swarms, the cost of a
// program on the robot, and descriptions of robots.
package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/experiment"
)

// NewExperimentCommand returns the command that runs a swarm many times.
func NewExperimentCommand(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Run a swarm with many parameters and seeds",
		Long: "Runs simulated robots with every combination of a file's parameters and seeds, on all processors or by Slurm,\n" +
			"and makes one table of the results. An interrupted experiment continues where it was.",
		Example: "  epuck-driver experiment run gathering.yaml\n" +
			"  epuck-driver experiment submit gathering.yaml --sbatch=--partition=long\n" +
			"  epuck-driver experiment collect gathering.yaml",
	}
	cmd.AddCommand(newExperimentRun(p), newExperimentSubmit(p), newExperimentCollect(p), newExperimentTask(p))
	return cmd
}

// experimentOptions are the common options of the commands of an experiment.
type experimentOptions struct{ results string }

func (o *experimentOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.results, "results", "", "`FOLDER` of the results; without it one next to the file, named after it")
}

// load reads an experiment and returns it with the folder of its results.
func (o *experimentOptions) load(path string) (*experiment.Experiment, string, error) {
	e, err := experiment.Load(path)
	if err != nil {
		return nil, "", err
	}
	folder := cmp.Or(o.results, e.Folder("results"))
	if err := outfile.Folder(folder); err != nil { // fails before hours of runs
		return nil, "", fmt.Errorf("results: %w", err)
	}
	return e, folder, nil
}

func newExperimentRun(p *frame.Program) *cobra.Command {
	var o experimentOptions
	workers := 0
	cmd := &cobra.Command{
		Use:     "run FILE",
		Short:   "Make all runs that have no result yet",
		Long:    "Makes all runs of an experiment that have no result yet, each on one processor, and then the tables.",
		Example: "  epuck-driver experiment run gathering.yaml --workers 4",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, folder, err := o.load(args[0])
			if err != nil {
				return err
			}
			bar := newProgressBar(p.Err)
			err = e.Run(cmd.Context(), folder, nil, workers, bar.show)
			bar.end()
			if err != nil {
				return unfinished(err)
			}
			return collect(p.Out, e, folder)
		},
	}
	o.flags(cmd)
	cmd.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "`N` runs at once")
	return cmd
}

func newExperimentSubmit(p *frame.Program) *cobra.Command {
	var o experimentOptions
	var options []string
	tasks := 0
	cmd := &cobra.Command{
		Use:     "submit FILE",
		Short:   "Hand an experiment to Slurm",
		Long:    "Writes an array job into the results' folder and submits it with sbatch; each task makes its share of the runs.",
		Example: "  epuck-driver experiment submit gathering.yaml --tasks 100 --sbatch=--partition=long --sbatch=--time=60",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, folder, err := o.load(args[0])
			if err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			job, err := e.Submit(cmd.Context(), experiment.Slurm{Program: []string{self}, File: args[0], Folder: folder, Tasks: tasks, Options: options})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Out, "Job %s does the %d runs of %s into %s.\nWhen it has ended: %s experiment collect %s\n",
				job, e.Runs(), e.Name, folder, os.Args[0], args[0])
			return err
		},
	}
	o.flags(cmd)
	cmd.Flags().IntVar(&tasks, "tasks", 0, "`N` tasks at most; 0 is one for each run, up to 1000")
	cmd.Flags().StringArrayVar(&options, "sbatch", nil, "an `OPTION` for sbatch, as --sbatch=--time=60; may come several times")
	return cmd
}

func newExperimentCollect(p *frame.Program) *cobra.Command {
	var o experimentOptions
	cmd := &cobra.Command{
		Use:     "collect FILE",
		Short:   "Make one table of the results",
		Long:    "Makes runs.csv, runs.parquet, summary.csv and summary.html of the results that are there, and says which are missing.",
		Example: "  epuck-driver experiment collect gathering.yaml",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			e, folder, err := o.load(args[0])
			if err != nil {
				return err
			}
			return collect(p.Out, e, folder)
		},
	}
	o.flags(cmd)
	return cmd
}

func newExperimentTask(*frame.Program) *cobra.Command {
	var o experimentOptions
	index, of := 0, 1
	cmd := &cobra.Command{
		Use:     "task FILE",
		Short:   "Make one task's share of the runs, as Slurm's jobs do",
		Long:    "Makes every n-th run of an experiment that has no result yet, in sequence.",
		Example: "  epuck-driver experiment task gathering.yaml --index 3 --of 100",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, folder, err := o.load(args[0])
			if err != nil {
				return err
			}
			runs, err := e.Part(index, of)
			if err != nil {
				return err
			}
			return unfinished(e.Run(cmd.Context(), folder, runs, 1, func(int, int) {}))
		},
	}
	o.flags(cmd)
	cmd.Flags().IntVar(&index, "index", 0, "`NUMBER` of the task, from 0 on")
	cmd.Flags().IntVar(&of, "of", 1, "`N` tasks in all")
	return cmd
}

// errUnfinished is the error of an interrupted experiment: a script or Slurm must see a failure.
var errUnfinished = errors.New("interrupted before all runs were made; the same command makes the remaining ones")

// unfinished replaces a cancellation by errUnfinished, so that an interrupted command fails; other commands end
// without an error after a signal.
func unfinished(err error) error {
	if errors.Is(err, context.Canceled) {
		return errUnfinished
	}
	return err
}

// collect writes the tables, and reports the runs and the missing ones.
func collect(w io.Writer, e *experiment.Experiment, folder string) error {
	have, missing, err := e.Collect(folder)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%d of %d runs of %s: %s/summary.html, runs.csv, runs.parquet\n", have, have+len(missing), e.Name, folder)
	if err == nil && len(missing) > 0 {
		_, err = fmt.Fprintf(w, "Missing: %s\n", rangesText(missing, maxRanges))
	}
	return err
}

// maxRanges is the maximum number of ranges of missing runs that are listed.
const maxRanges = 20

// rangesText formats ascending numbers as ranges, at most the given number.
func rangesText(list []int, most int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch {
		case len(parts) == most:
			return fmt.Sprintf("%s and %d more", strings.Join(parts, ", "), len(list)-i)
		case j > i:
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[j]))
		default:
			parts = append(parts, strconv.Itoa(list[i]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// progressBar shows the progress of an experiment in one line of a terminal, otherwise in a new line every 10 s.
type progressBar struct {
	w     io.Writer
	term  *tty.Terminal
	begun time.Time

	mu    sync.Mutex
	first int // runs that were done at the start
	known bool
	shown time.Time
}

func newProgressBar(w io.Writer) *progressBar {
	return &progressBar{w: w, term: tty.NewTerminal(w), begun: time.Now()}
}

const barWidth = 30

// show prints the number of runs done.
func (b *progressBar) show(done, all int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.known {
		b.first, b.known = done, true
	}
	text := barText(done, all, b.first, time.Since(b.begun))
	switch {
	case b.term != nil:
		b.term.SetStatus(text)
	case done == all || time.Since(b.shown) > 10*time.Second:
		b.shown = time.Now()
		_, _ = fmt.Fprintln(b.w, text) // the progress is not essential
	}
}

// barText formats the bar, with the remaining time if it can be estimated.
func barText(done, all, first int, passed time.Duration) string {
	full := barWidth
	if all > 0 {
		full = barWidth * done / all
	}
	left := ""
	if done > first && done < all {
		left = fmt.Sprintf(", %v left", (passed / time.Duration(done-first) * time.Duration(all-done)).Round(time.Second))
	}
	return fmt.Sprintf("[%-*s] %d of %d runs%s", barWidth, "##############################"[:full], done, all, left)
}

// end removes the bar from the terminal.
func (b *progressBar) end() {
	if b.term != nil {
		b.term.Close()
	}
}
