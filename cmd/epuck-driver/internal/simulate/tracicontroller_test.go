// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net"
	"regexp"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// stepTo is TraCI's command that advances the simulation to a time, s, as SUMO's clients send it.
func stepTo(age float64) []byte {
	b := []byte{0, 0, 0, 14, 10, 0x02}
	return binary.BigEndian.AppendUint64(b, math.Float64bits(age))
}

// traced runs sim and returns its trace; client, if there is one, is given the line with the server's address.
func traced(t *testing.T, args string, client func(line string) error) string {
	t.Helper()
	o, err := parseSim(args + " --seed 3 --trace-hash")
	if err != nil {
		t.Fatal(err)
	}
	read, write := io.Pipe()
	var group task.Group
	var failed error
	group.Go("sim", func() {
		failed = o.run(t.Context(), frame.Streams{Out: write, Err: io.Discard})
		_ = write.Close()
	})
	trace := ""
	for lines := bufio.NewScanner(read); lines.Scan(); {
		if line := lines.Text(); strings.HasPrefix(line, "trace ") {
			trace = line
		} else if client != nil && strings.Contains(line, "controlled by TraCI clients at ") {
			if err := client(line); err != nil {
				t.Error(err)
			}
		}
	}
	group.Wait()
	if failed != nil || trace == "" {
		t.Fatalf("%s: %v, %q", args, failed, trace)
	}
	return trace
}

// A controller in the process steps with the time that TraCI clients give, in steps of any length, and nothing else
// changes: the trace is that of a run without them. The run ends at --for, or when the client has no more use for it.
func TestControllerUnderTraCI(t *testing.T) {
	for _, level := range []string{"functional", "firmware"} {
		world := "--world empty --robots 6 --controller avoid --level " + level
		want := traced(t, world+" --for 1200ms --real-time-factor max", nil)
		for _, c := range []struct {
			flags string
			ages  []float64
		}{
			{" --for 1200ms", []float64{0.1, 0.2, 0.7, 1, 5}}, // beyond --for: it ends there
			{" --step-length 0.01", []float64{0.03, 0.04, 0.35, 1.19, 1.2}},
		} {
			got := traced(t, world+" --traci=127.0.0.1:0"+c.flags, func(line string) error {
				conn, err := net.Dial("tcp", regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(line))
				if err != nil {
					return err
				}
				defer func() { _ = conn.Close() }()
				for _, age := range c.ages {
					if _, err := conn.Write(stepTo(age)); err != nil {
						return err
					}
					var length [4]byte
					if _, err := io.ReadFull(conn, length[:]); err != nil {
						if age > 1.2 { // the run is over
							return nil
						}
						return fmt.Errorf("no answer at %g s: %w", age, err)
					}
					if _, err := io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint32(length[:]))-4); err != nil {
						return err
					}
				}
				_, err = conn.Write([]byte{0, 0, 0, 6, 2, 0x7f}) // close
				if err == nil {
					_, err = io.Copy(io.Discard, conn)
				}
				return err
			})
			if got != want {
				t.Errorf("%s%s: %s, want %s", level, c.flags, got, want)
			}
		}
	}
}
