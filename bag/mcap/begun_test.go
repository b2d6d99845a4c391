// SPDX-License-Identifier: Apache-2.0

package mcap_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// A file whose writer ended within its first bytes becomes a complete one without messages; one that begins otherwise
// is left alone.
func TestRecoverFileWithoutHeader(t *testing.T) {
	const magic = "\x89MCAP0\r\n"
	path := filepath.Join(t.TempDir(), "a.mcap")
	for n := range len(magic) + 1 {
		if err := os.WriteFile(path, []byte(magic[:n]), 0o600); err != nil {
			t.Fatal(err)
		}
		asked := 0
		report, err := mcap.Recover(path, func(r *mcap.Reader) (mcap.Metadata, error) {
			if asked++; len(r.Channels()) != 0 {
				t.Errorf("channels %v", r.Channels())
			}
			return mcap.Metadata{Name: "rosbag2"}, nil
		}, nil)
		if err != nil || report.Messages != 0 || report.Rewritten && n < len(magic) || asked != 1 {
			t.Errorf("%d bytes: %+v, %v, metadata asked for %d times", n, report, err, asked)
		}
		if report, err = mcap.Recover(path, nil, nil); err != nil || !report.Whole {
			t.Errorf("%d bytes, again: %+v, %v", n, report, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := mcap.NewReader(strings.NewReader(string(data)), int64(len(data)))
		if err != nil || len(r.Metadata()) != 1 || len(r.Damage) != 0 {
			t.Errorf("%d bytes: %+v, %v", n, r, err)
		}
	}
	for _, text := range []string{"x", "\x89MCAP1", "MCAP"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := mcap.Recover(path, nil, nil); !errors.Is(err, mcap.ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != text {
			t.Errorf("%q is now %q, %v", text, data, err)
		}
	}
}
