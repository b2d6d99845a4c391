// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzReader: no bytes make the reader fail otherwise than by an error with a position, and what it reads of damaged
// files can be recovered and is then the same.
func FuzzReader(f *testing.F) {
	f.Add(writeFile(f, Uncompressed, 2, 3, true).b)
	f.Add(writeFile(f, Zstd, 2, 3, false).b)
	for _, o := range libraryOptions() {
		f.Add(libraryFile(f, o, 9, true))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, open := range []func() (*Reader, error){
			func() (*Reader, error) { return NewReader(bytes.NewReader(b), int64(len(b))) },
			func() (*Reader, error) { return scanWhole(bytes.NewReader(b), int64(len(b)), nil) },
		} {
			r, err := open()
			if err != nil {
				return
			}
			last := uint64(0)
			for m, err := range Messages([]*Reader{r}, Range{}) {
				if err == nil && m.Channel == nil {
					t.Fatal("a message without a channel")
				}
				last = max(last, m.LogTime)
			}
			for _, d := range r.Damage {
				if d.Offset < 0 || d.Offset+d.Length > int64(len(b)) || d.Length < 0 {
					t.Fatalf("damage %v in %d bytes", d, len(b))
				}
			}
		}
		recovered(t, b)
	})
}

func recovered(t *testing.T, b []byte) {
	path := filepath.Join(quickDir(t), "x.mcap")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Recover(path, nil, nil)
	if err != nil {
		return
	}
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(now), int64(len(now)))
	if err != nil || r.Interrupted || len(r.Damage) > 0 {
		t.Fatalf("recovered as %+v: %v, damage %v", report, err, r.Damage)
	}
}
