// SPDX-License-Identifier: Apache-2.0

//go:build peers

package signals2

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// peerBinary builds the C++ program once.
var peerBinary = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(buildDir, "signals2")
	out, err := exec.Command("c++", "-std=c++17", "-O2", "-DNDEBUG", "-Wall", "-Wextra", "-pthread", "-o", binary, "testdata/signals2.cpp").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cannot build the Boost.Signals2 program (Debian: g++, libboost-dev; scripts/setup.sh): %w\n%s", err, out)
	}
	return binary, nil
})

// peer is a running C++ program.
type peer struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

func startPeer(tb testing.TB, c cell) *peer {
	tb.Helper()
	binary, err := peerBinary()
	if err != nil {
		tb.Fatal(err)
	}
	form := "plain"
	if c.informed {
		form = "informed"
	}
	p := &peer{cmd: exec.Command(binary, strconv.Itoa(c.receivers), strconv.Itoa(c.messages), strconv.Itoa(c.threads), form)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReader(out)
	tb.Cleanup(func() {
		in.Close()
		if err := p.cmd.Wait(); err != nil {
			tb.Errorf("the Boost.Signals2 program: %v", err)
		}
	})
	return p
}

// round has the program emit all messages once.
func (p *peer) round(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	if _, err := fmt.Fprintln(p.in, "go"); err != nil {
		tb.Fatal(err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	var took time.Duration
	var calls int
	if _, err := fmt.Sscan(line, &took, &calls); err != nil || calls != c.deliveries() {
		tb.Fatalf("the Boost.Signals2 program says %q, want %d calls: %v", line, c.deliveries(), err)
	}
	return took
}
