// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"strings"
	"testing"
)

// TestLoopbackFindingNamesTheDiscoveryOnIt: which of the two ways other programs use depends on the flag.
func TestLoopbackFindingNamesTheDiscoveryOnIt(t *testing.T) {
	for flag, want := range map[bool]string{true: "Cyclone DDS discovers by multicast", false: "Cyclone DDS discovers by unicast"} {
		i := lo
		i.Multicast = flag
		m := &Machine{Interfaces: func() ([]Interface, error) { return []Interface{i}, nil }}
		if f := checkLoopback(context.Background(), m); len(f) != 1 || !strings.Contains(f[0].Text, want) {
			t.Errorf("multicast %v: %+v", flag, f)
		}
	}
}
