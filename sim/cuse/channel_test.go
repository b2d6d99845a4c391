// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// pipeChannel is a channel on a named pipe: whatever is written to it is read from it.
func pipeChannel(t *testing.T) *channel {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cuse")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := openChannel(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestChannel(t *testing.T) {
	c := pipeChannel(t)
	if n, err := c.Write([]byte("hello")); n != 5 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	b := make([]byte, 16)
	if n, err := c.Read(b); err != nil || string(b[:n]) != "hello" {
		t.Errorf("%q, %v", b[:n], err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for name, f := range map[string]func() error{
		"read":  func() error { _, err := c.Read(b); return err },
		"write": func() error { _, err := c.Write(b); return err },
		"close": c.Close,
	} {
		if err := f(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
}

// Reads that wait end with Close, all of them, whenever it comes.
func TestCloseEndsReads(t *testing.T) {
	for range 50 {
		c := pipeChannel(t)
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				if _, err := c.Read(make([]byte, 8)); !errors.Is(err, os.ErrClosed) {
					t.Errorf("%v", err)
				}
			})
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		readers.Wait()
	}
}
