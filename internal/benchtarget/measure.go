// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// errMarks is returned when a program under test did not make the marks that were expected.
var errMarks = errors.New("benchtarget: marks missing or malformed")

// The domain of a run is its own; nothing leaves the machine.
var network = []string{"ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(os.Getpid()%200+20)}

// emulator runs a program on one ARM1176: one processor, as the robot has, so that the Go scheduler behaves as there.
func (t tools) emulator(ctx context.Context, plugin string, program ...string) *exec.Cmd {
	args := append([]string{"-c", firstProcessor(), "qemu-arm", "-cpu", "arm1176", "-B", strconv.FormatUint(guestBase, 10), "-plugin", plugin}, program...)
	return exec.CommandContext(ctx, "taskset", args...)
}

// measure runs a scenario and returns what one time of it counts.
func (t tools) measure(ctx context.Context, s scenario) (count, error) {
	env := append(os.Environ(), network...)
	if s.listener {
		env = append(env, "EPUCK_TARGET_LISTENER=1")
		l, err := t.listen(ctx)
		if err != nil {
			return count{}, err
		}
		defer l.close()
	}
	marks := filepath.Join(t.dir, "marks")
	cmd := t.emulator(ctx, t.plugin+",out="+marks+",profile="+t.profile(), t.robot, "-test.run", "^$",
		"-test.bench", "^"+strings.ReplaceAll(s.benchmark, "/", "$/^")+"$", "-test.benchtime", strconv.Itoa(s.times)+"x")
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return count{}, fmt.Errorf("%w\n%s", err, out)
	}
	f, err := os.Open(marks)
	if err != nil {
		return count{}, err
	}
	defer func() { _ = f.Close() }()
	counts, err := readMarks(f)
	if err != nil {
		return count{}, err
	}
	return result(counts, s)
}

// result picks the marks of the benchmark's last run, which is the one with all its times. With a baseline they come in
// pairs, and the pair that differs by the median tells.
func result(counts []count, s scenario) (count, error) {
	var of []count
	for _, c := range counts {
		if c.times == float64(s.times) {
			of = append(of, c)
		}
	}
	if len(of) == 0 || s.baseline && len(of)%2 != 0 {
		return count{}, fmt.Errorf("%w: %d of %d times in %d", errMarks, len(of), s.times, len(counts))
	}
	if !s.baseline {
		return of[len(of)-1], nil
	}
	var differences []count
	for i := 0; i < len(of); i += 2 {
		differences = append(differences, of[i+1].minus(of[i]))
	}
	slices.SortFunc(differences, func(a, b count) int { return cmp.Compare(a.instructions, b.instructions) })
	return differences[len(differences)/2], nil
}

// readMarks parses what the plugin writes: "mark TIMES INSTRUCTIONS CALLS number:count …"; the last line's TIMES is
// exit.
func readMarks(r io.Reader) ([]count, error) {
	var all []count
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 4 || f[0] != "mark" {
			return nil, fmt.Errorf("%w: %q", errMarks, lines.Text())
		}
		c := count{calls: map[int]float64{}}
		var err error
		if f[1] != "exit" {
			if c.times, err = strconv.ParseFloat(f[1], 64); err != nil {
				return nil, fmt.Errorf("%w: %q: %w", errMarks, lines.Text(), err)
			}
		}
		if c.instructions, err = strconv.ParseFloat(f[2], 64); err != nil {
			return nil, fmt.Errorf("%w: %q: %w", errMarks, lines.Text(), err)
		}
		for _, call := range f[4:] {
			number, n, ok := strings.Cut(call, ":")
			key, err1 := strconv.Atoi(number)
			value, err2 := strconv.ParseFloat(n, 64)
			if err := errors.Join(err1, err2); err != nil || !ok {
				return nil, fmt.Errorf("%w: %q: %w", errMarks, call, err)
			}
			c.calls[key] += value
		}
		all = append(all, c)
	}
	return all, lines.Err()
}

// firstProcessor is the number of a processor that this process may use.
func firstProcessor() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "0"
	}
	_, list, _ := strings.Cut(string(status), "\nCpus_allowed_list:")
	return strings.TrimSpace(list[:max(0, strings.IndexAny(list, ",-\n"))]) // such as 0-1 or 2,4
}
