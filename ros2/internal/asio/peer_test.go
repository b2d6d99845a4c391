// SPDX-License-Identifier: Apache-2.0

//go:build peers

package asio

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
	binary := filepath.Join(buildDir, "asio")
	out, err := exec.Command("c++", "-std=c++17", "-O2", "-DNDEBUG", "-Wall", "-Wextra", "-pthread", "-o", binary, "testdata/asio.cpp").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cannot build the Boost.Asio program (Debian: g++, libboost-dev; scripts/setup.sh): %w\n%s", err, out)
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
	p := &peer{cmd: exec.Command(binary, strconv.Itoa(c.producers), strconv.Itoa(c.threads), strconv.Itoa(c.tasks))}
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
			tb.Errorf("the Boost.Asio program: %v", err)
		}
	})
	return p
}

// round has the program post all tasks once.
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
	var ran int
	if _, err := fmt.Sscan(line, &took, &ran); err != nil || ran != c.tasks {
		tb.Fatalf("the Boost.Asio program prints %q, want %d tasks: %v", line, c.tasks, err)
	}
	return took
}
