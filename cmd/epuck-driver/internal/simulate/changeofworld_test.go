// SPDX-License-Identifier: Apache-2.0

//go:build system && !arm

package simulate

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestChangeOfWorldIsNoStopOfTheService: systemd is informed that the service stops at the end of the last world alone.
func TestChangeOfWorldIsNoStopOfTheService(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(os.Getpid()%200+1))
	var o simOptions
	f := pflag.NewFlagSet("sim", pflag.ContinueOnError)
	o.flags(f)
	if err := f.Parse([]string{"--world", "empty", "--for", "2500ms", "--web=off"}); err != nil {
		t.Fatal(err)
	}
	o.swarm.speed = 1
	world, err := sim.LoadWorld(o.world)
	if err != nil {
		t.Fatal(err)
	}
	if o.next, err = sim.LoadWorld("arena"); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if err := o.networked(t.Context(), frame.Streams{Out: &out, Err: &log}, world); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	var states []string
	buf := make([]byte, 1000)
	_ = conn.SetReadDeadline(time.Now().Add(time.Second)) // all of it has been sent
	for n, err := conn.Read(buf); err == nil; n, err = conn.Read(buf) {
		states = append(states, string(buf[:n]))
	}
	ready, stopping := 0, 0
	for i, s := range states {
		if strings.HasPrefix(s, "READY=1") {
			ready++
		}
		if s == "STOPPING=1" {
			if stopping++; i != len(states)-1 {
				t.Errorf("it stops before %q", states[i+1:])
			}
		}
	}
	if ready != 2 || stopping != 1 {
		t.Errorf("two worlds: %q", states)
	}
}
