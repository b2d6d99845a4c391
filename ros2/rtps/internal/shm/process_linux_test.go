// SPDX-License-Identifier: Apache-2.0

//go:build system

package shm_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
)

// borrowerFolder is the environment variable that makes the test program a process with a loan.
const borrowerFolder = "EPUCK_SHM_TEST_FOLDER"

// The loans of a killed process end: its memory is overwritten as if they had been released.
func TestLoansOfKilledProcesses(t *testing.T) {
	if runtime.GOARCH == "arm" {
		t.Skip("an emulated program can't start itself: it runs on a PC")
	}
	folder := t.TempDir()
	a, err := shm.Create(folder, prefix(1), 4096)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Write(key(1), payload(1, 1000)); err != nil {
		t.Fatal(err)
	}
	process := exec.Command(os.Args[0], "-test.run=^TestBorrower$")
	process.Env = append(os.Environ(), borrowerFolder+"="+folder)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "borrowed\n" {
		_ = process.Process.Kill()
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := a.Open(prefix(2)); err != nil {
		t.Error(err)
	}
	if _, err := a.Write(key(2), payload(2, 4000)); !errors.Is(err, shm.ErrFull) {
		t.Errorf("while the process has a loan of the whole memory: %v", err)
	}
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait() // it was killed
	if _, err := a.Write(key(2), payload(2, 4000)); err != nil {
		t.Errorf("after it was killed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, shm.Name(prefix(2)))); err != nil {
		t.Errorf("the file of the killed process: %v", err)
	}
}

// TestBorrower is the process of TestLoansOfKilledProcesses: it borrows the first block and waits until it is killed.
func TestBorrower(t *testing.T) {
	folder := os.Getenv(borrowerFolder)
	if folder == "" {
		t.Skip("runs within TestLoansOfKilledProcesses")
	}
	b, err := shm.Create(folder, prefix(2), 1000)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.Open(prefix(1))
	if err != nil {
		t.Fatal(err)
	}
	ref, err := shm.FirstReference(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(ref); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("borrowed\n")
	select {}
}
