// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// failures collects the failures of a helper instead of failing the test.
type failures struct {
	testing.TB
	said []string
}

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

func (f *failures) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}

// actor is a peer that acknowledges every command but does only what a shell script does.
func actor(t *testing.T, f *failures, script string) *peer {
	t.Helper()
	p := launch(t, "actor", exec.Command("sh", "-c", `while read command id rest; do
`+script+`
echo "{\"event\":\"done\",\"command\":\"$command\",\"id\":\"$id\"}"
done`))
	p.t, p.events.limit = f, 300*time.Millisecond
	return p
}

// TestSilentPeerFails: the matrix fails with peers that do not match, that match and do not deliver, and that deliver
// wrong bytes.
func TestSilentPeerFails(t *testing.T) {
	const (
		match   = `case $command in reader|writer) echo "{\"event\":\"matched\",\"id\":\"$id\",\"current\":1}";; esac; `
		deliver = `case $command in reader) for n in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
echo "{\"event\":\"sample\",\"id\":\"$id\",\"number\":$n,\"size\":4,\"wrong\":1}"; done;; esac; `
	)
	c := cell{qos{reliable: true, transientLocal: true, depth: 50}, 12, "cell"}
	for _, test := range []struct{ name, script, want string }{
		{"unmatched", "", "match of cell"},
		{"silent", match, "sample of cell"},
		{"wrong", match + deliver, "1 wrong"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &failures{TB: t}
			m := &matrix{t: f, from: actor(t, f, test.script), to: actor(t, f, test.script)}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				m.run([]cell{c})
			}()
			<-ended
			if said := strings.Join(f.said, "\n"); !strings.Contains(said, test.want) {
				t.Errorf("the matrix says %q", said)
			}
		})
	}
}
