// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"path/filepath"
	"sync"
	"testing"
)

var readOnce = sync.OnceValues(func() ([]Source, error) { return Read(filepath.Join("..", "..")) })

// sources returns every Go file of the project but test data. They are parsed once.
func sources(t *testing.T) []Source {
	t.Helper()
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 1000 {
		t.Fatalf("found only %d Go files: the walk is broken", len(all))
	}
	return all
}

func TestUnder(t *testing.T) {
	for _, c := range []struct {
		path, prefix string
		want         bool
	}{
		{"ros2/rtps/wire", "ros2/rtps", true}, {"ros2", "ros2", true}, {"ros2/rtpsx", "ros2/rtps", false},
		{"golang.org/x/sys/unix", "golang.org/x/", true}, {"net/netip", "net", true}, {"network", "net", false},
		{"msgs", "msgs$", true}, {"msgs/std_msgs", "msgs$", false},
	} {
		if got := Under(c.path, c.prefix); got != c.want {
			t.Errorf("Under(%q, %q) = %v", c.path, c.prefix, got)
		}
	}
}
