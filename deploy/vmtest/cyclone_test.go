// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
)

// buildCyclone makes the peer program of ros2/interop with Cyclone DDS.
func buildCyclone(made string) error {
	testdata, err := filepath.Abs(filepath.Join(root, "ros2", "interop", "testdata"))
	if err != nil {
		return err
	}
	work := filepath.Join(made, "cyclone")
	if err := os.Mkdir(work, 0o755); err != nil {
		return err
	}
	cmd := exec.Command("sh", "-ec", `idlc -x final -o . "$T/cyclone/ros.idl"
cc -std=c11 -O1 -D_GNU_SOURCE -I. -I"$T/common" -I"$T/cyclone" -o peer "$T"/common/*.c "$T"/cyclone/*.c ros.c -lddsc`)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "T="+testdata)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the Cyclone DDS peer (packages gcc cyclonedds-dev cyclonedds-tools): %w\n%s", err, bytes.TrimSpace(out))
	}
	return nil
}

// cycloneHears has a Cyclone DDS program on this side of the cable read a topic of the robot, in a domain, and gives
// its first sample.
func cycloneHears(t *testing.T, domain int, kind, topic string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(os.Getenv(madeVariable), "cyclone", "peer"), strconv.Itoa(domain), "0")
	cmd.Env = append(os.Environ(), "CYCLONEDDS_URI=<General><Interfaces><NetworkInterface name='"+vm.CableTAP+"'/></Interfaces></General>")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = stdin.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if _, err := io.WriteString(stdin, "reader r "+kind+" "+topic+" reliable volatile 10\n"); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		fmt.Fprintln(&all, lines.Text())
		if strings.Contains(lines.Text(), `"event":"sample"`) || strings.Contains(lines.Text(), `"event": "sample"`) {
			return lines.Text()
		}
	}
	t.Fatalf("Cyclone DDS hears nothing on %s:\n%s", topic, &all)
	return ""
}
