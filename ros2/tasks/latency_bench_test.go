// SPDX-License-Identifier: Apache-2.0

//go:build linux

package tasks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// latencyPeriod is the period of what the benchmark runs.
const latencyPeriod = 5 * time.Millisecond

// BenchmarkLatency measures how late a periodic thread starts: an item that a ticker triggers, a thread that waits for
// a timer of Go or sleeps in the kernel until each period, and Debian's cyclictest, each with and without SCHED_FIFO,
// and with and without more busy processes than processors. SCHED_FIFO needs CAP_SYS_NICE, cyclictest the package
// rt-tests.
func BenchmarkLatency(b *testing.B) {
	for _, busy := range []int{0, 2 * runtime.NumCPU()} {
		for _, method := range []struct {
			name    string
			measure func(n int, policy thread.Config) ([]int64, error)
		}{{"item", ofItem}, {"timer", ofTimer}, {"sleep", ofSleep}, {"cyclictest", ofCyclictest}} {
			for _, policy := range []thread.Config{{}, {Policy: thread.FIFO, Priority: 80, LockMemory: true}} {
				b.Run(fmt.Sprintf("%s/%v/busy=%d", method.name, policy.Policy, busy), func(b *testing.B) {
					defer startLoad(b, busy)()
					all, err := method.measure(b.N, policy)
					if errors.Is(err, exec.ErrNotFound) || errors.Is(err, thread.ErrPermission) {
						b.Skip(err)
					}
					if err != nil {
						b.Fatal(err)
					}
					slices.Sort(all)
					b.ReportMetric(0, "ns/op")
					for _, part := range []float64{50, 99, 99.9, 100} {
						b.ReportMetric(float64(percentile(all, part)), fmt.Sprintf("µs-%g%%", part))
					}
				})
			}
		}
	}
}

// startLoad starts processes that use a processor each until the returned function is called.
func startLoad(b *testing.B, n int) (end func()) {
	ctx, cancel := context.WithCancel(b.Context())
	var group task.Group
	for range n {
		cmd := exec.CommandContext(ctx, "sh", "-c", "while kill -0 $PPID; do :; done")
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		group.Go("busy process", func() { _ = cmd.Wait() }) // killed
	}
	return func() {
		cancel()
		group.Wait()
	}
}

// percentile returns the least of sorted values that so many percent of them do not exceed.
func percentile(sorted []int64, percent float64) int64 {
	return sorted[max(0, int(math.Ceil(percent/100*float64(len(sorted))))-1)]
}

// ofItem returns the times, µs, from when a ticker is due to the start of the item that it triggers.
func ofItem(count int, policy thread.Config) (all []int64, err error) {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "latency", Transport: transport})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, node.Close()) }()
	ticker, err := waitset.NewTicker(node, "tick", latencyPeriod)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all = make([]int64, 0, count)
	executor, err := tasks.New(tasks.Config{
		Thread: policy,
		Tasks: []tasks.Task{{Name: "periodic", Triggers: []waitset.Condition{ticker}, Items: []tasks.Item{{
			Name: "measure", Execute: func(context.Context) error {
				if due, ok := ticker.Take(); ok && len(all) < count {
					all = append(all, time.Since(due).Microseconds())
				}
				if len(all) == count {
					cancel()
				}
				return nil
			},
		}}}},
	})
	if err != nil {
		return nil, err
	}
	defer executor.Close()
	if err := executor.Run(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return all, nil
}

// onThread runs a function on a thread of its own with a policy.
func onThread(policy thread.Config, run func() ([]int64, error)) (all []int64, err error) {
	var group task.Group
	group.Go("periodic thread", func() {
		runtime.LockOSThread() // not unlocked: the thread with its policy ends with the goroutine
		if err = policy.Apply(); err == nil {
			all, err = run()
		}
	})
	group.Wait()
	return all, err
}

// ofTimer returns the latencies of a thread that waits for a timer of Go's runtime, as the loop of the wheels does.
func ofTimer(count int, policy thread.Config) ([]int64, error) {
	return onThread(policy, func() (all []int64, _ error) {
		all = make([]int64, 0, count)
		timer := time.NewTimer(latencyPeriod)
		defer timer.Stop()
		for due := time.Now().Add(latencyPeriod); len(all) < count; due = due.Add(latencyPeriod) {
			<-timer.C
			all = append(all, max(0, time.Since(due)).Microseconds())
			timer.Reset(time.Until(due.Add(latencyPeriod)))
		}
		return all, nil
	})
}

// ofSleep returns the latencies of a thread that sleeps in the kernel until each absolute time, as cyclictest does.
func ofSleep(count int, policy thread.Config) ([]int64, error) {
	return onThread(policy, func() (all []int64, err error) {
		all = make([]int64, 0, count)
		var now unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
			return nil, err
		}
		for due := now.Nano(); len(all) < count; {
			due += latencyPeriod.Nanoseconds()
			until := unix.NsecToTimespec(due)
			for err = unix.EINTR; errors.Is(err, unix.EINTR); {
				err = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &until, nil)
			}
			if err = errors.Join(err, unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)); err != nil {
				return nil, err
			}
			all = append(all, (now.Nano()-due)/1000)
		}
		return all, nil
	})
}

// ofCyclictest returns those of cyclictest.
func ofCyclictest(count int, policy thread.Config) ([]int64, error) {
	args := []string{
		"--quiet", "--histogram", "100000", "--interval", strconv.FormatInt(latencyPeriod.Microseconds(), 10),
		"--loops", strconv.Itoa(count), "--threads", "1", "--policy", "other",
	}
	if policy.Policy == thread.FIFO {
		args = append(args[:len(args)-1], "fifo", "--priority", strconv.Itoa(policy.Priority), "--mlockall")
	}
	out, err := exec.Command("cyclictest", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("cyclictest %v: %w", args, err)
	}
	return parseHistogram(bytes.NewReader(out))
}

// parseHistogram reads what cyclictest prints: for each latency how often it occurred. Those beyond the histogram count
// as the greatest one.
func parseHistogram(from io.Reader) (all []int64, err error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var overflows, greatest int64
	for line := range strings.Lines(string(text)) {
		var value, n int64
		switch {
		case strings.HasPrefix(line, "# Max Latencies:"):
			_, err = fmt.Sscanf(line, "# Max Latencies: %d", &greatest)
		case strings.HasPrefix(line, "# Histogram Overflows:"):
			_, err = fmt.Sscanf(line, "# Histogram Overflows: %d", &overflows)
		case line == "\n" || strings.HasPrefix(line, "#"):
		default:
			if _, err = fmt.Sscanf(line, "%d %d", &value, &n); err == nil {
				all = append(all, slices.Repeat([]int64{value}, int(n))...)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %q: %w", line, err)
		}
	}
	all = append(all, slices.Repeat([]int64{greatest}, int(overflows))...)
	if len(all) == 0 {
		return nil, errors.New("no histogram")
	}
	return all, nil
}

func TestHistogramOfCyclictestIsRead(t *testing.T) {
	const text = "# Histogram\n000017 000002\n000018 000000\n000019 000001\n# Max Latencies: 09361\n# Histogram Overflows: 00002\n\n"
	all, err := parseHistogram(strings.NewReader(text))
	if err != nil || !slices.Equal(all, []int64{17, 17, 19, 9361, 9361}) || percentile(all, 50) != 19 || percentile(all, 100) != 9361 {
		t.Errorf("%v: %v", all, err)
	}
	for _, wrong := range []string{"", "17 x\n", "# Max Latencies: many\n"} {
		if all, err := parseHistogram(strings.NewReader(wrong)); err == nil {
			t.Errorf("%q: %v", wrong, all)
		}
	}
}
