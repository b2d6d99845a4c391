// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

const (
	startName  = "start and memory"
	firstTopic = "/odom"
)

// start runs the release's program with its simulated robot. It counts the instructions until a waiting reader has the
// first odom and the program has ended, and measures the memory with every topic subscribed: without the page, with it,
// and with a viewer of everything except pictures.
func (t tools) start(ctx context.Context, p armcost.Parameters) (string, error) {
	begun := time.Now()
	first, _, err := t.runRelease(ctx, 0, "")
	if err != nil {
		return "", err
	}
	wall := time.Since(begun)
	address, err := freeAddress(ctx)
	if err != nil {
		return "", err
	}
	_, bare, err := t.runRelease(ctx, settle, "")
	if err != nil {
		return "", err
	}
	_, page, err := t.runRelease(ctx, settle, address)
	if err != nil {
		return "", err
	}
	viewer, err := t.startPeer(ctx, "EPUCK_TEST_VIEWER="+address)
	if err != nil {
		return "", err
	}
	defer viewer.close()
	_, viewed, err := t.runRelease(ctx, settle, address)
	if err != nil {
		return "", err
	}
	if err := viewer.await(ctx, firstTopic); err != nil {
		return "", err
	}
	cost := p.Of(first.Counts)
	return fmt.Sprintf(`
Start with the simulated robot until a waiting reader has the first odom, and end: %s instructions, about %s of the core
(%.1f s on the emulator). Memory of the emulated program with every topic subscribed, with its simulator: %.1f MB,
%.1f MB of it the program's file. Budget: 0.5 s to the first odom, 24 MB. With the page %.1f MB, with a viewer of all
except pictures %.1f MB. Budget: 8 MB more.
`, thousands(cost.Instructions), interval(cost.Seconds), wall.Seconds(), bare.all/1e3, bare.file/1e3, page.all/1e3, viewed.all/1e3), nil
}

// settle is how long a program runs after its first odom before its memory is measured.
const settle = 10 * time.Second

// runRelease runs the program, with its page at an address or without, until a reader of all topics has received the
// first odom and the time longer has passed, then ends it as systemd does.
func (t tools) runRelease(ctx context.Context, longer time.Duration, page string) (count, memory, error) {
	l, err := t.listen(ctx)
	if err != nil {
		return count{}, memory{}, err
	}
	defer l.close()
	marks := filepath.Join(t.dir, "start")
	if err := os.RemoveAll(marks); err != nil {
		return count{}, memory{}, err
	}
	cmd := t.emulator(marks, "").Command(ctx, t.release, "sim", "--for", "10m", "--web="+cmp.Or(page, "off"))
	cmd.Env = append(t.environment(), "EPUCK_TEST_REAL_TIME_LOOP=1") // the driver's own loop, as on a robot
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := t.asService(cmd.Start); err != nil {
		return count{}, memory{}, err
	}
	limit, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err = l.await(limit, firstTopic)
	var m memory
	if err == nil && longer > 0 {
		select {
		case <-time.After(longer):
			m, err = residentOf(cmd.Process.Pid)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	err = errors.Join(err, cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
	if err != nil {
		return count{}, m, fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	counts, err := readMarks(marks)
	if err != nil || len(counts) != 1 {
		return count{}, m, fmt.Errorf("%w: %d: %w", errMarks, len(counts), err)
	}
	return counts[0], m, nil
}

// memory is the resident memory of the emulated program, in kB (1024 bytes).
type memory struct{ all, file float64 }

func residentOf(pid int) (memory, error) {
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "smaps"))
	if err != nil {
		return memory{}, err
	}
	defer func() { _ = f.Close() }()
	return resident(f)
}

// resident adds up the resident pages of the mappings in the emulated program's address space. /proc/PID/smaps has a
// line "from-to rights offset device inode path" for each mapping, followed by further lines with one "Rss: N kB".
func resident(r io.Reader) (memory, error) {
	var m memory
	inside, file := false, false
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if from, _, ok := strings.Cut(f[0], "-"); ok && len(f) >= 5 {
			address, err := strconv.ParseUint(from, 16, 64)
			if err != nil {
				return m, fmt.Errorf("smaps: %q: %w", lines.Text(), err)
			}
			inside, file = address >= armcost.GuestBase && address < armcost.GuestBase+armcost.GuestSize, len(f) > 5
		} else if f[0] == "Rss:" && inside {
			kb, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				return m, fmt.Errorf("smaps: %q: %w", lines.Text(), err)
			}
			m.all += kb
			if file {
				m.file += kb
			}
		}
	}
	return m, lines.Err()
}
