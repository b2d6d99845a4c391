// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Image is a disk with Debian, and the kernel that boots it.
type Image struct {
	Kernel, Initrd, Disk string // files
}

// BuildImage returns the machine's image, which scripts/vm-image.sh in the project's root builds if there is none yet
// (about a minute). Progress is written to log.
func BuildImage(ctx context.Context, root string, log io.Writer) (Image, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(root, "scripts", "vm-image.sh"))
	cmd.Stdout, cmd.Stderr = &out, io.MultiWriter(&errs, log)
	if err := cmd.Run(); err != nil {
		return Image{}, fmt.Errorf("%w: vm-image.sh: %w: %s", errUnavailable, err, strings.TrimSpace(errs.String()))
	}
	dir := strings.TrimSpace(out.String())
	return Image{
		Kernel: filepath.Join(dir, "vmlinuz"),
		Initrd: filepath.Join(dir, "initrd"),
		Disk:   filepath.Join(dir, "root.ext4"),
	}, nil
}
