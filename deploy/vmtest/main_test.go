// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
)

// madeVariable names the folder in which the outer process has made what the machine gets.
const madeVariable = "EPUCK_VM_MADE"

// required reports whether the tests are to run.
func required() bool { return os.Getenv("EPUCK_VM") == "required" || ofCard() }

// ofCard reports whether the tests of the card's image are to run, instead of those of the emulated PC.
func ofCard() bool { return os.Getenv("EPUCK_VM") == "card" }

// TestMain builds everything while there is a network, then runs the tests in one that belongs to the machine alone.
func TestMain(m *testing.M) {
	if !required() {
		os.Exit(m.Run())
	}
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "vmtest:", err)
		status = 1
	}
	os.Exit(status)
}

func run(m *testing.M) (status int, err error) {
	if os.Getenv(madeVariable) == "" {
		made, err := os.MkdirTemp("", "epuck-vmtest")
		if err != nil {
			return 1, err
		}
		defer func() { _ = os.RemoveAll(made) }()
		if err := build(made); err != nil {
			return 1, err
		}
		if err := os.Setenv(madeVariable, made); err != nil {
			return 1, err
		}
		status, _, err := vm.Isolate()
		return status, err
	}
	if _, inside, err := vm.Isolate(); err != nil || !inside {
		return 1, errors.Join(err, errors.New(madeVariable+" is set outside"))
	}
	if err := vm.Cable(); err != nil {
		return 1, err
	}
	if ofCard() {
		if err := linkLocal(); err != nil {
			return 1, err
		}
	}
	return m.Run(), nil
}

type builtFile struct {
	name    string
	env     string
	command string
}

// built are the files that the machine gets, by their names in its payload folder; each is made by a command that
// writes to $OUT.
var built = []builtFile{
	{"epuck-driver", "CGO_ENABLED=0", `go build -trimpath -o "$OUT" ./cmd/epuck-driver`},
	{"epuck-driver.deb", "", `dir=$(mktemp -d) && mv "$(OUT=$dir scripts/package.sh amd64 | tail -n 1)" "$OUT"`},
	{"cuse.test", "CGO_ENABLED=0", `go test -c -tags system -o "$OUT" ./sim/cuse`},
	{"cuse32.test", "CGO_ENABLED=0 GOARCH=386", `go test -c -tags system -o "$OUT" ./sim/cuse`},
	{"v4l2.test", "CGO_ENABLED=1", `go test -c -tags vm -ldflags '-linkmode external -extldflags -static' -o "$OUT" ./camera/v4l2`},
	{"v4l2-32.test", "CGO_ENABLED=1 GOARCH=386 CC=i686-linux-gnu-gcc", `go test -c -tags vm -ldflags '-linkmode external -extldflags -static' -o "$OUT" ./camera/v4l2`},
	{"m2m-32.test", "CGO_ENABLED=0 GOARCH=386", `go test -c -tags vm -o "$OUT" ./camera/m2m`},
	{"m2m.test", "CGO_ENABLED=0", `go test -c -tags vm -o "$OUT" ./camera/m2m`},
	{"v4l2-mem2mem.ko", "", `cp "$(scripts/vm-modules.sh)/v4l2-mem2mem.ko" "$OUT"`},
	{"vicodec.ko", "", `cp "$(scripts/vm-modules.sh)/vicodec.ko" "$OUT"`},
}

// build makes the machine's disk, its payload and the other vendor's program that listens outside.
func build(made string) error {
	files := built
	if ofCard() {
		files = builtOfCard
	} else if _, err := vm.BuildImage(context.Background(), root, os.Stderr); err != nil {
		return err
	}
	for _, b := range files {
		cmd := exec.Command("sh", "-ec", b.command)
		cmd.Dir = root
		cmd.Env = append(append(os.Environ(), strings.Fields(b.env)...), "OUT="+filepath.Join(made, b.name))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", b.command, err, bytes.TrimSpace(out))
		}
	}
	return buildCyclone(made)
}

// root is the project's folder, seen from this one.
const root = "../.."

// payload are the files made for the machine.
func payload() map[string]string {
	files := map[string]string{}
	for _, b := range built {
		files[b.name] = filepath.Join(os.Getenv(madeVariable), b.name)
	}
	return files
}
