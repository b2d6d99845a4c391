// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed plugin
var source embed.FS

// errTools is returned where the emulator or the compiler is missing.
var errTools = errors.New("armcost: needs gcc and qemu-arm (apt-get install gcc libc6-dev qemu-user)")

// BuildPlugin compiles the model of the ARM1176 into dir and returns its file, which is what QEMU's -plugin takes.
func BuildPlugin(ctx context.Context, dir string) (string, error) {
	return buildPlugin(ctx, dir, Model{})
}

func buildPlugin(ctx context.Context, dir string, model Model) (string, error) {
	for _, tool := range []string{"gcc", "qemu-arm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%w: %w", errTools, err)
		}
	}
	files, err := fs.Glob(source, "plugin/*")
	if err != nil {
		return "", err
	}
	for _, name := range files {
		data, err := source.ReadFile(name)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
			return "", err
		}
	}
	plugin := filepath.Join(dir, "model.so")
	args := append([]string{"-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-pthread"}, model.definitions()...)
	cmd := exec.CommandContext(ctx, "gcc", append(args, "-o", plugin, filepath.Join(dir, "model.c"))...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("armcost: compiling the model: %w\n%s", err, out)
	}
	return plugin, nil
}
