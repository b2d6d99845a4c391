// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// TestLayout: the plugin's structures are as this package reads them, and its events as they are named.
func TestLayout(t *testing.T) {
	needs(t)
	dir := t.TempDir()
	if _, err := armcost.BuildPlugin(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	var h header
	source := fmt.Sprintf(`#include "model.c"
_Static_assert(offsetof(struct core, limit) == %d, "limit");
_Static_assert(offsetof(struct core, running) == %d, "running");
_Static_assert(offsetof(struct core, start) == %d, "start");
_Static_assert(offsetof(struct core, booted) == %d, "booted");
_Static_assert(offsetof(struct core, hertz) == %d, "hertz");
_Static_assert(offsetof(struct core, event_cost) == %d, "event_cost");
_Static_assert(offsetof(struct core, call_cost) == %d, "call_cost");
_Static_assert(offsetof(struct core, memory) == %d, "memory");
_Static_assert(sizeof(struct core) <= %d, "core");
_Static_assert(offsetof(struct thread, calls) == %d, "calls");
_Static_assert(sizeof(struct thread) == %d, "thread");
_Static_assert(sizeof alone_threads == %d, "threads");
_Static_assert(EVENTS == %d, "events");
`, unsafe.Offsetof(h.limit), unsafe.Offsetof(h.running), unsafe.Offsetof(h.start), unsafe.Offsetof(h.booted), unsafe.Offsetof(h.hertz),
		unsafe.Offsetof(h.eventCost), unsafe.Offsetof(h.callCost), unsafe.Sizeof(h), coreSize, callsOffset, threadSize, countsSize,
		len(armcost.Events()))
	file := filepath.Join(dir, "layout.c")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "gcc", "-fsyntax-only", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	events, err := os.ReadFile(filepath.Join(dir, "events.h"))
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for _, name := range armcost.Events() {
		i := strings.Index(string(events)[from:], `"`+name+`"`)
		if i < 0 {
			t.Fatalf("event %s is not in its place", name)
		}
		from += i
	}
}
