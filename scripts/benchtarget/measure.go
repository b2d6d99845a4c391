// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// errMarks is returned when the marks of a program under test are not the expected ones.
var errMarks = errors.New("benchtarget: marks missing or malformed")

// Each run has a ROS domain of its own on the loopback interface.
var network = []string{"ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(os.Getpid()%200+20)}

// environment returns that of the service, on a network of its own.
func (t tools) environment() []string {
	return append(append(os.Environ(), network...), t.service.env...)
}

// emulator returns an emulator of the ARM1176 with the cost model.
func (t tools) emulator(counts, profile string) armcost.Emulator {
	return armcost.Emulator{Plugin: t.plugin, Counts: counts, Profile: profile}
}

// measure runs a scenario and returns its count.
func (t tools) measure(ctx context.Context, s scenario) (count, error) {
	env := t.environment()
	if s.listener {
		env = append(env, "EPUCK_TARGET_LISTENER=1")
		l, err := t.listen(ctx)
		if err != nil {
			return count{}, err
		}
		defer l.close()
	}
	if s.viewer {
		address, err := freeAddress(ctx)
		if err != nil {
			return count{}, err
		}
		env = append(env, "EPUCK_TARGET_VIEWER="+address)
		v, err := t.startPeer(ctx, "EPUCK_TEST_VIEWER="+address)
		if err != nil {
			return count{}, err
		}
		defer v.close()
	}
	marks := filepath.Join(t.dir, "marks")
	if err := os.RemoveAll(marks); err != nil {
		return count{}, err
	}
	cmd := t.emulator(marks, t.profile()).Command(ctx, t.robot, "-test.run", "^$",
		"-test.bench", "^"+strings.ReplaceAll(s.benchmark, "/", "$/^")+"$", "-test.benchtime", strconv.Itoa(s.times)+"x")
	cmd.Env = env
	var out []byte
	err := t.asService(func() (err error) {
		out, err = cmd.CombinedOutput()
		return err
	})
	if err != nil {
		return count{}, fmt.Errorf("%w\n%s", err, out)
	}
	counts, err := readMarks(marks)
	if err != nil {
		return count{}, err
	}
	return result(counts, s)
}

// result returns the count of the benchmark's last run, which has all iterations. With a baseline the marks are in
// pairs, and the result is the median of the differences.
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
	slices.SortFunc(differences, func(a, b count) int { return cmp.Compare(a.Events["instructions"], b.Events["instructions"]) })
	return differences[len(differences)/2], nil
}

// freeAddress returns an address at which no program listens.
func freeAddress(ctx context.Context) (string, error) {
	var how net.ListenConfig
	l, err := how.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// readMarks reads a file of counts. A mark's name is its number of iterations, except at the program's end.
func readMarks(file string) ([]count, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	marks, err := armcost.ParseCounts(data)
	if err != nil {
		return nil, err
	}
	all := make([]count, 0, len(marks))
	for _, m := range marks {
		c := count{Counts: armcost.Sum(m.Threads)}
		if m.Name != "exit" {
			if c.times, err = strconv.ParseFloat(m.Name, 64); err != nil {
				return nil, fmt.Errorf("%w: %q: %w", errMarks, m.Name, err)
			}
		}
		all = append(all, c)
	}
	return all, nil
}
