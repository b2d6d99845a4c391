// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/experiment/report"
)

// errSlurm is matched when Slurm rejects a job or is not installed.
var errSlurm = errors.New("experiment: slurm")

// maxTasks is the maximum number of tasks of a job: Slurm's default MaxArraySize is 1001.
const maxTasks = 1000

// Slurm is the configuration of an array job on a cluster. With n tasks each executes every nth run.
type Slurm struct {
	// Program is this program, with the arguments before "experiment". It is required.
	Program []string
	// File is the experiment's file, Folder the folder of the results; all nodes need access to them. They are
	// required.
	File, Folder string
	// Tasks is the number of tasks, at most the number of runs and 1000. It defaults to that maximum.
	Tasks int
	// Options are options of sbatch, such as "--partition=long".
	Options []string
}

// Part returns the runs of task index of the given number of tasks.
func (e *Experiment) Part(index, of int) ([]int, error) {
	if of < 1 || index < 0 || index >= of {
		return nil, fmt.Errorf("%w: task %d of %d", errSlurm, index, of)
	}
	var runs []int
	for i := index; i < e.Runs(); i += of {
		runs = append(runs, i)
	}
	return runs, nil
}

// Script returns the job's script.
func (e *Experiment) Script(s Slurm) (string, error) {
	if len(s.Program) == 0 || s.File == "" || s.Folder == "" {
		return "", fmt.Errorf("%w: program, file and folder must be given", errSlurm)
	}
	file, err := filepath.Abs(s.File)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errSlurm, err)
	}
	folder, err := filepath.Abs(s.Folder)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errSlurm, err)
	}
	tasks := min(e.Runs(), maxTasks)
	if s.Tasks > 0 {
		tasks = min(tasks, s.Tasks)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=0-%d\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n", e.Name, tasks-1)
	fmt.Fprintf(&b, "#SBATCH --output=%s\n", quote(filepath.Join(folder, "task-%a.log")))
	for _, o := range s.Options {
		if !strings.HasPrefix(o, "-") || strings.ContainsAny(o, "\n\r") {
			return "", fmt.Errorf("%w: %q is not an option of sbatch", errSlurm, o)
		}
		fmt.Fprintf(&b, "#SBATCH %s\n", o)
	}
	b.WriteString("exec")
	for _, word := range append(append([]string(nil), s.Program...), "experiment", "task", file, "--results", folder) {
		b.WriteString(" " + quote(word))
	}
	fmt.Fprintf(&b, " --index \"$SLURM_ARRAY_TASK_ID\" --of %d\n", tasks)
	return b.String(), nil
}

// quote quotes a word for the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Submit writes the job's script into the results' folder and submits it with sbatch. It returns the job's number.
func (e *Experiment) Submit(ctx context.Context, s Slurm) (job string, err error) {
	script, err := e.Script(s)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.Folder, 0o755); err != nil {
		return "", fmt.Errorf("experiment: %w", err)
	}
	path := filepath.Join(s.Folder, "job.sh")
	if err := report.Whole(path, func(w io.Writer) error { _, err := io.WriteString(w, script); return err }); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "sbatch", "--parsable", path)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w: sbatch: %w: %s", errSlurm, err, strings.TrimSpace(complaint.String()))
	}
	job, _, _ = strings.Cut(strings.TrimSpace(out.String()), ";") // a cluster's name may follow
	return job, nil
}
