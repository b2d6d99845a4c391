// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// examples builds the programs below examples/ros2 once and returns their folder.
var examples = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(scratch, "examples")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", folder, "github.com/epuck-ros2/epuck-driver/examples/ros2/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(firstLines(string(out), 20)))
	}
	return folder, nil
})

// startExample runs the program of examples/ros2/NAME.
func startExample(t testing.TB, domain uint32, name string, args ...string) *robot {
	t.Helper()
	needNamespace(t)
	folder, err := examples()
	if err != nil {
		t.Fatalf("building the examples: %v", err)
	}
	return startCommand(t, domain, append([]string{filepath.Join(folder, name)}, args...)...)
}

// printed waits for a line of output.
func (r *robot) printed(want string) {
	r.t.Helper()
	r.lines.await(r.t, want, func(line string) bool { return line == want })
}

// ended waits for the end of the program and checks its exit status.
func (r *robot) ended() {
	r.t.Helper()
	<-r.exited
	if r.err != nil {
		r.t.Errorf("%s: %v", r.cmd.Path, r.err)
	}
}

// exampleTests are the programs of examples/ros2, each with a test that fails when its counterpart receives nothing.
var exampleTests = map[string]func(t *testing.T, domain uint32){
	"talker": func(t *testing.T, domain uint32) {
		p := cyclone.start(t, domain, 0)
		p.send("reader r string rt/chatter reliable volatile 10")
		talker := startExample(t, domain, "talker")
		if e := p.sample("r"); !strings.HasPrefix(e.Data, "Hello World: ") {
			t.Errorf("Cyclone DDS received %q", e.Data)
		}
		talker.interrupt()
	},
	"listener": func(t *testing.T, domain uint32) {
		listener := startExample(t, domain, "listener", "--ros-args", "-r", "chatter:=news")
		p := cyclone.start(t, domain, 0)
		p.send("writer w string rt/news reliable volatile 10")
		p.matched("w", 1)
		p.send("write w 2")
		listener.printed("I heard: sample 1")
		listener.printed("I heard: sample 2")
		listener.interrupt()
	},
	"service": func(t *testing.T, domain uint32) {
		server := startExample(t, domain, "service")
		p := cyclone.start(t, domain, 0)
		p.send("client c trigger trigger")
		p.matched("c", 1)
		for i := 1; i <= 2; i++ {
			p.send("call c")
			if e := p.reply("c", i); !e.Success || e.Data != fmt.Sprint("request ", i) {
				t.Errorf("Cyclone DDS received %s", e.line)
			}
		}
		server.interrupt()
	},
	"client": func(t *testing.T, domain uint32) {
		p := cyclone.start(t, domain, 0)
		p.send("server s trigger trigger")
		client := startExample(t, domain, "client")
		p.request("s")
		client.printed("response: true triggered")
		client.ended()
	},
	"action_server": testActionExamples,
	"action_client": testActionExamples,
	"parameters": func(t *testing.T, domain uint32) {
		program := startExample(t, domain, "parameters", "--ros-args", "-p", "max_speed:=0.12")
		program.printed("max_speed is 0.12")
		p := cyclone.start(t, domain, 0)
		p.send("client get get_parameters parameters/get_parameters")
		p.matched("get", 1)
		get := func(number int, want string) {
			p.send("call get max_speed")
			if e := p.reply("get", number); !slices.Equal(e.Texts, []string{want}) {
				t.Errorf("Cyclone DDS received %q, want %s", e.Texts, want)
			}
		}
		get(1, "0.12")
		runShell(t, domain, "param set /parameters max_speed 0.0625")
		program.printed("max_speed is now 0.0625")
		get(2, "0.0625")
		program.interrupt()
	},
	"tasks": func(t *testing.T, domain uint32) {
		program := startExample(t, domain, "tasks")
		p := cyclone.start(t, domain, 0)
		p.send("writer w string rt/chatter reliable volatile 10")
		p.send("reader r string rt/answer reliable volatile 10")
		p.matched("w", 1)
		p.matched("r", 1)
		p.send("write w 2")
		for i := 1; i <= 2; i++ {
			if e := p.sample("r"); e.Data != fmt.Sprintf("%d: sample %d", i, i) {
				t.Errorf("Cyclone DDS received %q", e.Data)
			}
		}
		program.interrupt()
	},
	"waitset": func(t *testing.T, domain uint32) {
		program := startExample(t, domain, "waitset")
		p := cyclone.start(t, domain, 0)
		p.send("reader r string rt/answer reliable volatile 10")
		for _, topic := range []string{"question", "scene", "note"} {
			p.send("writer %s string rt/%s reliable volatile 10", topic, topic)
			p.matched(topic, 1)
		}
		p.matched("r", 1)
		p.send("write scene 2")
		p.send("write note 3")
		for i := 1; ; i++ { // the topics have no order among each other
			p.send("write question 1")
			answer := p.sample("r").Data
			if !strings.HasPrefix(answer, fmt.Sprintf("question %d, ", i)) {
				t.Fatalf("answer %d is %q", i, answer)
			}
			if strings.HasSuffix(answer, `: scene "sample 2", 3 notes`) {
				break
			}
		}
		program.printed("no question for a second")
		program.interrupt()
	},
	"perception": func(t *testing.T, domain uint32) { // it uses no network; its own test is about the other line
		program := startExample(t, domain, "perception", "-runs", "2")
		program.printed("fixed order: 2 runs, distinct results: 1; the last: 0.041406 m, 1.045145 m/s after 20 pictures and 20 detections")
		program.ended()
	},
	"parcels": func(t *testing.T, domain uint32) { // it uses no network
		program := startExample(t, domain, "parcels", "-for", "20s")
		program.printed("5 parcels delivered, 40 pictures filtered, 2824160 pixels of edges")
		program.ended()
	},
	"own_messages": func(t *testing.T, domain uint32) {
		program := startExample(t, domain, "own_messages")
		for _, s := range weather {
			out, err := exec.Command(s.path(t), fmt.Sprint(domain), "rt/reading").Output()
			if err != nil || string(out) != weatherLine {
				t.Errorf("%s: %v\n%swant\n%s", s.name, err, out, weatherLine)
			}
		}
		program.interrupt()
	},
}

// testActionExamples runs both: the peers have no action types.
func testActionExamples(t *testing.T, domain uint32) {
	server := startExample(t, domain, "action_server")
	client := startExample(t, domain, "action_client")
	client.printed("feedback: [0 1 1 2 3]")
	client.printed("result: [0 1 1 2 3 5]")
	client.ended()
	server.printed("computed [0 1 1 2 3 5]")
	server.interrupt()
}

// TestExamples runs each program of examples/ros2 against Cyclone DDS, or against the other side's program.
func TestExamples(t *testing.T) {
	folders, err := filepath.Glob("../../examples/ros2/*/main.go")
	if err != nil || len(folders) != len(exampleTests) {
		t.Errorf("%d programs and %d tests: %v", len(folders), len(exampleTests), err)
	}
	for _, path := range folders {
		name := filepath.Base(filepath.Dir(path))
		t.Run(name, func(t *testing.T) {
			test := exampleTests[name]
			if test == nil {
				t.Fatalf("examples/ros2/%s has no test", name)
			}
			test(t, newDomain())
		})
	}
}
