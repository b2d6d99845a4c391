// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
)

// The folder for controllers of this machine is made anew, removed at the end, and nothing else is touched.
func TestFolder(t *testing.T) {
	dir := folder(t)
	g := serve(t, arena, func(c *webots.Config) { c.Folder, c.User = dir, "tester" })
	if url := g.server.URL("a"); url != "ipc://"+g.port()+"/a" {
		t.Errorf("URL %q", url)
	}
	at := filepath.Join(dir, "webots", "tester", g.port())
	info, err := os.Stat(at)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	g.stop()
	g.await("the folder to go", func() bool { _, err := os.Stat(at); return os.IsNotExist(err) })
	if _, err := os.Stat(filepath.Dir(at)); err != nil {
		t.Errorf("other folders of the user: %v", err)
	}
	other := folder(t)
	if err := os.Symlink(dir, filepath.Join(other, "webots")); err != nil {
		t.Fatal(err)
	}
	for name, folder := range map[string]string{"a link": other, "nowhere": filepath.Join(dir, "nowhere")} {
		if _, err := webots.New(webots.Config{Simulation: g.sim, Address: "127.0.0.1:0", Folder: folder}); !errors.Is(err, webots.ErrFolder) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
