// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// copied returns a folder with a copy of a recording of another program, changed.
func copied(t *testing.T, change func(file []byte) []byte) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	file, err := os.ReadFile(recordings("idl.mcap")[0])
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "run_0.mcap"), change(file), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestInfoSeparatesRemarksFromDamage: what is wrong with the metadata is a remark; what can't be read is damage, also
// what only reading all messages finds; only then is the way on "bag recover".
func TestInfoSeparatesRemarksFromDamage(t *testing.T) {
	whole := func(file []byte) []byte { return file }
	withMetadata := func(edit func(text string) string) func(dir string) {
		return func(dir string) {
			_, err := bag.Recover(dir, nil)
			path := filepath.Join(dir, bag.MetadataFile)
			text, failed := os.ReadFile(path)
			if err == nil && failed == nil {
				err = os.WriteFile(path, []byte(edit(string(text))), 0o600)
			}
			if err != nil || failed != nil {
				t.Fatal(err, failed)
			}
		}
	}
	same := func(text string) string { return text }
	for _, c := range []struct {
		name                         string
		change                       func([]byte) []byte
		more                         func(dir string)
		verbose                      bool
		remark, damage, interruption string // part of one; "" for none
	}{
		{name: "whole", change: whole, more: withMetadata(same)},
		{name: "no metadata", change: whole, remark: "there is no metadata.yaml"},
		{name: "other numbers", change: whole, more: withMetadata(func(s string) string { return strings.ReplaceAll(s, "message_count: 50", "message_count: 51") }), remark: "counts 51 messages"},
		{name: "metadata of another bag", change: whole, more: withMetadata(func(s string) string { return strings.ReplaceAll(s, "run_0", "other_0") }), remark: "of another bag"},
		{name: "bad metadata", change: whole, more: withMetadata(func(string) string { return "\x00" }), remark: "bag recover writes it again"},
		{name: "cut short", change: func(f []byte) []byte { return f[:len(f)/2] }, remark: "metadata.yaml", damage: "truncated", interruption: "run_0.mcap"},
		{name: "a wrong byte", change: func(f []byte) []byte { f[700] ^= 1; return f }, more: func(string) {}, verbose: true, remark: "metadata.yaml", damage: "can be read"},
		{name: "a file that is none", change: whole, more: func(dir string) {
			if err := os.WriteFile(filepath.Join(dir, "run_1.mcap"), []byte("<html>"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, remark: "metadata.yaml", damage: "is an HTML page"},
	} {
		dir := copied(t, c.change)
		if c.more != nil {
			c.more(dir)
		}
		var text, object strings.Builder
		err := bagInfo(&frame.Program{Streams: frame.Streams{Out: &text, Err: &strings.Builder{}}}, dir, false, c.verbose)
		if err == nil {
			err = bagInfo(&frame.Program{Streams: frame.Streams{Out: &object, Err: &strings.Builder{}}}, dir, true, c.verbose)
		}
		var got struct{ Interrupted, Damage, Remarks []string }
		if err == nil {
			err = json.Unmarshal([]byte(object.String()), &got)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, list := range []struct {
			line, want string
			got        []string
		}{{"Remark:", c.remark, got.Remarks}, {"Damaged:", c.damage, got.Damage}, {"Not finished:", c.interruption, got.Interrupted}} {
			if said := strings.Join(list.got, "\n"); (list.want == "") != (said == "") || !strings.Contains(said, list.want) {
				t.Errorf("%s: --json has %q in place of %q", c.name, said, list.want)
			}
			if strings.Contains(text.String(), "\n"+list.line) != (list.want != "") {
				t.Errorf("%s: the line %q:\n%s", c.name, list.line, text.String())
			}
		}
		if hint := strings.Contains(text.String(), "\nNext step:"); hint != (c.damage+c.interruption != "") {
			t.Errorf("%s: the way on: %t\n%s", c.name, hint, text.String())
		}
	}
}
