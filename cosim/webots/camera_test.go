// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// folder is a short one: paths of sockets have at most 108 bytes.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "w")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// A camera shows the same over TCP and in the file that controllers of this machine map: another robot ahead.
func TestCamera(t *testing.T) {
	dir := folder(t)
	local := func(c *webots.Config) { c.Folder, c.User = dir, "tester" }
	g := serve(t, arena, nil)
	far := g.control("b")
	far.do(32, far.period("camera", 32))
	if len(far.image) != 4*52*39 {
		t.Fatalf("a picture of %d bytes", len(far.image))
	}
	for i := 3; i < len(far.image); i += 4 {
		if far.image[i] != 255 {
			t.Fatal("pixels are transparent")
		}
	}
	if bytes.Count(far.image, far.image[:4]) > 52*39/2 {
		t.Error("it shows nothing")
	}
	g = serve(t, arena, local)
	for _, release := range []wire.Release{wire.Releases()[0], wire.Latest()} {
		near := g.controlLocally(dir, "b", release)
		near.do(0, near.period("camera", 32))
		near.do(32)
		if release == wire.Releases()[0] {
			got, err := os.ReadFile(near.file)
			if err != nil || !bytes.Equal(got, far.image) {
				t.Errorf("the file %s has %d bytes, and others: %v", near.file, len(got), err)
			}
		}
		near.do(0, near.part("", wire.RobotExit))
		file := near.file
		_ = near.conn.Close()
		g.await("the file to go", func() bool { _, err := os.Stat(file); return os.IsNotExist(err) })
	}
}
