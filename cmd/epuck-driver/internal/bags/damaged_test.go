// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestEveryCommandNamesWhatIsDamaged: each command that reads a bag fails with the name of what it cannot read, or
// names it together with what it can read.
func TestEveryCommandNamesWhatIsDamaged(t *testing.T) {
	whole, err := os.ReadFile(recordings("idl.mcap")[0])
	if err != nil {
		t.Fatal(err)
	}
	write := func(t *testing.T, path string, content []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	metadata := "rosbag2_bagfile_information: {version: 8, storage_identifier: mcap, message_count: 50, relative_file_paths: [run_0.mcap, "
	for name, c := range map[string]struct {
		put  func(t *testing.T, dir string)
		want string
	}{
		"cut in a chunk":     {func(t *testing.T, d string) { write(t, d+"/run_0.mcap", whole[:len(whole)/2]) }, "run_0.mcap"},
		"cut in the summary": {func(t *testing.T, d string) { write(t, d+"/run_0.mcap", whole[:len(whole)-20]) }, "run_0.mcap"},
		"not MCAP":           {func(t *testing.T, d string) { write(t, d+"/run_0.mcap", []byte("<html>")) }, "run_0.mcap is an HTML page"},
		"a folder":           {func(t *testing.T, d string) { write(t, d+"/run_0.mcap/x", nil) }, "run_0.mcap"},
		"a file that is gone": {func(t *testing.T, d string) {
			write(t, d+"/run_0.mcap", whole)
			write(t, d+"/metadata.yaml", []byte(metadata+"run_1.mcap]}"))
		}, "run_1.mcap"},
		"a file elsewhere": {func(t *testing.T, d string) {
			write(t, d+"/run_0.mcap", whole)
			write(t, d+"/metadata.yaml", []byte(metadata+"/etc/passwd]}"))
		}, "/etc/passwd"},
		"a file twice": {func(t *testing.T, d string) {
			write(t, d+"/run_0.mcap", whole)
			write(t, d+"/metadata.yaml", []byte(metadata+"run_0.mcap]}"))
		}, "run_0.mcap"},
		"bad metadata": {func(t *testing.T, d string) {
			write(t, d+"/run_0.mcap", whole)
			write(t, d+"/metadata.yaml", []byte("{"))
		}, "metadata.yaml"},
		"two storages": {func(t *testing.T, d string) {
			write(t, d+"/run_0.mcap", whole)
			write(t, d+"/run_0.db3", []byte("SQLite format 3\x00"))
		}, `"run_0.mcap" and "run_0.db3"`},
		"nothing": {func(*testing.T, string) {}, "no bag"},
	} {
		for command, f := range map[string]func(p *frame.Program, path string) error{
			"info": func(p *frame.Program, path string) error { return bagInfo(p, path, false, true) },
			"play": func(p *frame.Program, path string) error {
				b, err := openBags([]string{path})
				if err != nil {
					return err
				}
				reportMissing(p, b)
				return b.Close()
			},
			"recover": bagRecover,
		} {
			dir := filepath.Join(t.TempDir(), "run")
			c.put(t, dir)
			var out strings.Builder
			err := f(&frame.Program{Streams: frame.Streams{Out: &out, Err: &out}}, dir)
			said := out.String()
			if err != nil {
				said += err.Error()
			}
			repaired := command == "recover" && (strings.HasPrefix(name, "a file") || name == "bad metadata" || strings.HasPrefix(name, "cut")) // writes the metadata and the end again
			if !strings.Contains(said, c.want) && !repaired {
				t.Errorf("%s of %s: %q, want %q", command, name, said, c.want)
			}
			if !repaired {
				continue
			}
			b, remarks, err := bag.Inspect(dir)
			if err != nil || len(remarks)+len(b.Damage)+len(b.Interrupted) > 0 {
				t.Errorf("%s, recovered: %q, %v", name, remarks, err)
				continue
			}
			_ = b.Close()
		}
	}
}
