// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

const (
	// maxOutput is the maximum size of a command's output, bytes.
	maxOutput = 1 << 20
	// maxFigures is the maximum number of figures that a command prints.
	maxFigures = 1000
	// afterEnd is the time-out for the output of a command after its end: its children may keep it open.
	afterEnd = 5 * time.Second
)

// command runs the experiment's command for a case. Linux kills it when this program ends, even if this one is killed.
func (e *Experiment) command(ctx context.Context, c Case) (map[string]float64, error) {
	runtime.LockOSThread() // Pdeathsig refers to the thread that starts the child
	defer runtime.UnlockOSThread()
	args := e.arguments(c)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = e.folder
	system.EndWithParent(cmd)
	cmd.WaitDelay = afterEnd
	out, complaint := limited{limit: maxOutput}, limited{limit: maxOutput, drops: true}
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if out.full {
			err = fmt.Errorf("prints more than %d bytes: %w", maxOutput, err)
		}
		return nil, fmt.Errorf("%w: %q: %w: %.500s", errCommand, args, err, complaint.kept.Bytes())
	}
	f, err := figuresOf(out.kept.Bytes(), e.Parameters)
	if err != nil {
		return nil, fmt.Errorf("%w: %q did not print a JSON object of numbers: %w: %.200s", errCommand, args, err, out.kept.Bytes())
	}
	return f, nil
}

// arguments returns the command line for a case.
func (e *Experiment) arguments(c Case) []string {
	words := []string{"{seed}", fmt.Sprint(c.Seed), "{run}", fmt.Sprint(c.Run), "{robots}", fmt.Sprint(e.Robots)}
	for i, a := range e.Parameters {
		words = append([]string{"{" + a.Name + "}", fmt.Sprint(c.Values[i])}, words...)
	}
	replace := strings.NewReplacer(words...)
	args := make([]string, len(e.Command))
	for i, a := range e.Command {
		args[i] = replace.Replace(a)
	}
	return args
}

// figuresOf parses the output of a command. The figures are columns of the table, so their names are unique.
func figuresOf(out []byte, parameters Grid) (map[string]float64, error) {
	var read map[string]*float64
	if err := json.Unmarshal(out, &read); err != nil {
		return nil, err
	}
	if len(read) > maxFigures {
		return nil, fmt.Errorf("%d figures, at most %d", len(read), maxFigures)
	}
	taken := reserved()
	for _, a := range parameters {
		taken = append(taken, a.Name)
	}
	figures := make(map[string]float64, len(read))
	for k, v := range read {
		switch {
		case !plain(k):
			return nil, fmt.Errorf("%.70q must be 1 to 64 letters, digits, _ and -", k)
		case slices.Contains(taken, k):
			return nil, fmt.Errorf("%q is already a column of the table", k)
		case v == nil || math.IsInf(*v, 0):
			return nil, fmt.Errorf("%q has no value", k)
		}
		figures[k] = *v
	}
	return figures, nil
}

// limited is a writer that stores up to limit bytes; more is an error or dropped.
type limited struct {
	kept  bytes.Buffer // not embedded: its ReadFrom would bypass the limit
	limit int
	drops bool
	full  bool // a write was rejected
}

// errOutput is returned to a command that prints too much.
var errOutput = errors.New("prints too much")

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if space := l.limit - l.kept.Len(); len(p) > space {
		if l.drops {
			_, _ = l.kept.Write(p[:space])
			return len(p), nil
		}
		l.full = true
		return 0, errOutput
	}
	return l.kept.Write(p)
}
