// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/build/constraint"
	"slices"
	"strings"
	"testing"
)

// TestGateFailsOnlyForFaultsOfTheCode: a test that make test runs starts no other program, does not wait for less than
// shortest on the machine's clock, has no random numbers without a seed, and depends neither on the process id, nor on
// what else the process does, nor on the machine's ports. What has to is a file with a build tag of another suite.
func TestGateFailsOnlyForFaultsOfTheCode(t *testing.T) {
	for _, f := range GateFaults(sources(t)) {
		if GateExceptions[f.Path] == "" {
			t.Error(f)
		}
	}
	inGate := 0
	for _, s := range sources(t) {
		if s.Test && Suite(s.AST) == Gate {
			inGate++
		}
	}
	if inGate < 500 {
		t.Errorf("%d files of tests in the gate: the search is broken", inGate)
	}
}

// TestGateFaultsAreFound: each kind of fault is found, and what is similar is not.
func TestGateFaultsAreFound(t *testing.T) {
	const text = `package x
import (
	"context"; "fmt"; "math/rand/v2"; "net"; "os"; "os/exec"; "runtime"; "testing"; "time"
	old "math/rand"
	"github.com/epuck-ros2/epuck-driver/internal/child"
)
const limit = 5 * time.Second
func TestA(t *testing.T) {
	exec.Command("true")                                       // os/exec
	time.Sleep(time.Millisecond)                               // time.Sleep of 1ms
	<-time.After(2 * limit)                                    // time.After of 10s
	context.WithTimeout(t.Context(), 29*time.Second)           // context.WithTimeout of 29s
	context.WithTimeout(t.Context(), 30*time.Second)
	context.WithTimeout(t.Context(), 0)
	time.Sleep(pause)
	rand.IntN(3)                                               // rand.IntN
	old.Seed(1)                                                // rand.Seed
	rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))    // rand.New; rand.NewPCG
	r := rand.New(rand.NewPCG(1, 2))
	r.IntN(3)
	os.Getpid()                                                // os.Getpid
	runtime.NumGoroutine()                                     // runtime.NumGoroutine
	var m runtime.MemStats
	runtime.ReadMemStats(&m)                                   // runtime.ReadMemStats
	os.ReadFile("/proc/self/statm")                            // /proc
	os.ReadDir(fmt.Sprintf("/proc/%d/fd", 1))                  // /proc
	net.Listen("tcp", "127.0.0.1:0")
	net.Listen("tcp", "[::1]:0")
	net.Listen("tcp", "127.0.0.1:8080")                        // fixed port 8080
	net.ListenPacket("udp", ":0")                              // beyond loopback
	net.Listen("unix", "/tmp/x")
	net.ListenUDP("udp4", nil)                                 // beyond loopback
	net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7400}) // fixed port 7400
	net.ListenUDP("udp4", &net.UDPAddr{})                      // beyond loopback
	run(t, "go", "build", "./...")                             // go build
	child.Run(t)                                               // internal/child
}
func BenchmarkA(b *testing.B) { time.Sleep(1); rig(b) }
func rig(b *testing.B) { exec.Command("true") }
`
	const suite = `package child
import ("os/exec"; "testing")
func Run(t *testing.T) { exec.Command("true") }
`
	test, err := Parse("x/x_test.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	child, err := Parse("internal/child/child.go", []byte(suite))
	if err != nil {
		t.Fatal(err)
	}
	found := map[int][]string{}
	for _, f := range GateFaults([]Source{test, child}) {
		found[f.Line] = append(found[f.Line], f.What)
	}
	for i, line := range test.Text {
		_, want, _ := strings.Cut(line, " // ")
		got := strings.Join(found[i+1], "; ")
		for part := range strings.SplitSeq(want, "; ") {
			if !strings.Contains(got, strings.TrimSpace(part)) {
				t.Errorf("line %d: %q, want %q", i+1, got, part)
			}
		}
		if want == "" && got != "" {
			t.Errorf("line %d: %s: %q", i+1, line, got)
		}
	}
}

// TestGateIsWhatHasNoTag: the files that can be compiled without a tag of another suite.
func TestGateIsWhatHasNoTag(t *testing.T) {
	for line, want := range map[string]string{
		"": Gate, "//go:build linux": Gate, "//go:build peers": "peers", "//go:build system && linux": "system", "//go:build !long": Gate,
		"//go:build peers || linux": Gate, "//go:build (system || long) && !arm": "long", "//go:build linux && vm && cgo": "vm",
		"//go:build !rclgo": Gate, "//go:build !race": Gate, "//go:build peers && rclgo": "peers",
	} {
		s, err := Parse("x/x_test.go", []byte("// SPDX\n\n"+line+"\n\npackage x\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := Suite(s.AST); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	expr, err := constraint.Parse("//go:build a && (b || !c)")
	if err != nil {
		t.Fatal(err)
	}
	if !satisfiable(expr, []string{"b"}) || satisfiable(expr, []string{"a"}) {
		t.Error("satisfiable is wrong")
	}
	if !slices.Contains(suiteTags, "long") {
		t.Error("no suite long")
	}
}
