// SPDX-License-Identifier: Apache-2.0

package shapes_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// program is a shape_main that runs on a virtual host.
type program struct {
	t    *testing.T
	name string
	stop context.CancelFunc
	done chan struct{}
	err  error

	mu  sync.Mutex
	out strings.Builder
}

// Write collects the output.
func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// launch starts a program with these arguments on host number host; it ends with the test.
func launch(t *testing.T, net *vnet.Net, host byte, line string) *program {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := &program{t: t, name: line, stop: stop, done: make(chan struct{})}
	cfg := shapes.Config{Options: parse(t, line), Out: p, Network: net.Host(host), Seed: uint64(host)}
	go func() {
		defer close(p.done)
		p.err = shapes.Run(ctx, cfg)
	}()
	t.Cleanup(func() { p.end() })
	return p
}

// end stops the program and waits for it.
func (p *program) end() {
	p.stop()
	<-p.done
	if p.err != nil {
		p.t.Errorf("%s: %v", p.name, p.err)
	}
}

// lines returns what the program has written.
func (p *program) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Split(strings.TrimSuffix(p.out.String(), "\n"), "\n")
}

// sample is the suite's expression for a sample.
var sample = regexp.MustCompile(`^(\w+) +(\w+) +[0-9]{3} [0-9]{3} \[([0-9]+)\]( \{[0-9]+\})?$`)

// sizes returns the sizes of the samples that the program printed, by topic and colour.
func (p *program) sizes() map[string][]int {
	list := map[string][]int{}
	for _, line := range p.lines() {
		if m := sample.FindStringSubmatch(line); m != nil {
			n, err := strconv.Atoi(m[3])
			if err != nil {
				p.t.Fatal(err)
			}
			list[m[1]+" "+m[2]] = append(list[m[1]+" "+m[2]], n)
		}
	}
	return list
}

// want expects a line that contains text.
func (p *program) want(text string) {
	p.t.Helper()
	if !slices.ContainsFunc(p.lines(), func(l string) bool { return strings.Contains(l, text) }) {
		p.t.Errorf("%s: no %q in\n%s", p.name, text, strings.Join(p.lines(), "\n"))
	}
}

// silent expects no such line.
func (p *program) silent(text string) {
	p.t.Helper()
	for _, l := range p.lines() {
		if strings.Contains(l, text) {
			p.t.Errorf("%s: %q", p.name, l)
		}
	}
}

// consecutive expects sizes that count up by one, and at least n of them.
func consecutive(t *testing.T, what string, sizes []int, n int) {
	t.Helper()
	if len(sizes) < n {
		t.Errorf("%s: %d samples, want at least %d", what, len(sizes), n)
	}
	for i := 1; i < len(sizes); i++ {
		if sizes[i] != sizes[i-1]+1 {
			t.Errorf("%s: %d follows %d", what, sizes[i], sizes[i-1])
		}
	}
}

// scene runs programs in simulated time on a lossy network, and then checks their output.
func scene(t *testing.T, run time.Duration, lines []string, look func(t *testing.T, p []*program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 5, Loss: 0.02})
		var all []*program
		for i, line := range lines {
			all = append(all, launch(t, net, byte(i+1), line))
		}
		time.Sleep(run)
		look(t, all)
		for _, p := range all {
			p.end()
		}
	})
}

// TestLines: the output is exactly what the suite's expressions want.
func TestLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{})
		sub := launch(t, net, 1, "-S -t Square -k 0")
		synctest.Wait()
		pub := launch(t, net, 2, "-P -t Square -z 0 -w --additional-payload-size 3 --final-instance-state u --num-iterations 2 --write-period 200")
		<-pub.done
		time.Sleep(time.Second)
		sub.end()
		var samples []string
		for _, line := range pub.lines() {
			if sample.MatchString(line) {
				samples = append(samples, line)
			}
		}
		if len(samples) != 2 || !strings.HasSuffix(samples[1], "[2] {255}") {
			t.Fatalf("samples %q", samples)
		}
		first, second := samples[0], samples[1]
		for i, c := range []struct {
			p    *program
			want []string
		}{
			{pub, []string{
				"Create topic: Square", "Create writer for topic: Square color: BLUE", first,
				"on_publication_matched() topic: 'Square'  type: 'ShapeType' : matched readers 1 (change = 1)", second,
			}},
			{sub, []string{
				"Create topic: Square", "Create reader for topic: Square",
				"on_subscription_matched() topic: 'Square'  type: 'ShapeType' : matched writers 1 (change = 1)",
				second, "Square     BLUE       NOT_ALIVE_NO_WRITERS_INSTANCE_STATE",
				"on_subscription_matched() topic: 'Square'  type: 'ShapeType' : matched writers 0 (change = -1)",
			}},
		} {
			have := c.p.lines()
			slices.Sort(have) // matches and samples come from two goroutines
			slices.Sort(c.want)
			if !slices.Equal(slices.Compact(have), slices.Compact(c.want)) {
				t.Errorf("program %d wrote\n%s\nwant\n%s", i, strings.Join(have, "\n"), strings.Join(c.want, "\n"))
			}
		}
	})
}

func TestReliable(t *testing.T) {
	for _, x := range []string{"1", "2"} {
		scene(t, 10*time.Second, []string{
			"-P -t Square -r -k 0 -z 0 --num-instances 4 -x " + x, "-S -t Square -r -k 0 -x " + x,
		}, func(t *testing.T, p []*program) {
			for _, c := range []string{"BLUE", "BLUE1", "BLUE2", "BLUE3"} {
				consecutive(t, c, p[1].sizes()["Square "+c], 250)
			}
		})
	}
}

func TestHistoryOfEachInstance(t *testing.T) {
	scene(t, 10*time.Second, []string{
		"-P -t Square -r -k 5 -z 0 --write-period 50 --num-instances 4", "-S -t Square -r -k 5 --read-period 200",
	}, func(t *testing.T, p []*program) {
		for _, c := range []string{"BLUE", "BLUE1", "BLUE2", "BLUE3"} {
			consecutive(t, c, p[1].sizes()["Square "+c], 150)
		}
	})
}

// TestIncompatible: both sides name the policy, and no sample comes.
func TestIncompatible(t *testing.T) {
	for policy, lines := range map[string][]string{
		"DATA_REPRESENTATION": {"-P -t Square -x 1", "-S -t Square -x 2"},
		"RELIABILITY":         {"-P -t Square -b", "-S -t Square -r"},
		"OWNERSHIP":           {"-P -t Square -s 3", "-S -t Square"},
		"DEADLINE":            {"-P -t Square -f 7000", "-S -t Square -f 5000"},
		"DURABILITY":          {"-P -t Square -D l", "-S -t Square -D p"},
		"PRESENTATION":        {"-P -t Square --ordered --access-scope i", "-S -t Square --ordered --access-scope g"},
	} {
		scene(t, 2*time.Second, lines, func(t *testing.T, p []*program) {
			p[0].want("on_offered_incompatible_qos() topic: 'Square'  type: 'ShapeType' : ")
			p[0].want("(" + policy + ")")
			p[1].want("on_requested_incompatible_qos() topic: 'Square'  type: 'ShapeType' : ")
			p[1].want("(" + policy + ")")
			p[1].silent("[")
		})
	}
}

// TestApart: different domains, topics and partitions do not match, without any event.
func TestApart(t *testing.T) {
	for _, lines := range [][]string{
		{"-P -t Square -d 1", "-S -t Square -d 2"}, {"-P -t Square", "-S -t Circle"}, {"-P -t Square -p p1", "-S -t Square -p x*"},
	} {
		scene(t, 2*time.Second, lines, func(t *testing.T, p []*program) {
			for i := range p {
				p[i].silent("matched")
				p[i].silent("incompatible")
			}
		})
	}
	scene(t, 2*time.Second, []string{"-P -t Square -p p1", "-S -t Square -p p* -x 1 -D v"}, func(t *testing.T, p []*program) {
		p[1].want("Square     BLUE ")
	})
}

func TestDurability(t *testing.T) {
	for line, first := range map[string]func(int) bool{
		"-r -k 0 -D l": func(n int) bool { return n == 1 },
		"-r -k 0 -D v": func(n int) bool { return n > 50 },
	} {
		synctest.Test(t, func(t *testing.T) {
			net := vnet.New(vnet.Config{})
			launch(t, net, 1, "-P -t Square -z 0 "+line)
			time.Sleep(3 * time.Second)
			sub := launch(t, net, 2, "-S -t Square "+line)
			time.Sleep(2 * time.Second)
			sizes := sub.sizes()["Square BLUE"]
			consecutive(t, line, sizes, 40)
			if len(sizes) > 0 && !first(sizes[0]) {
				t.Errorf("%s: begins with %d", line, sizes[0])
			}
		})
	}
}

func TestDeadlineMissed(t *testing.T) {
	scene(t, 7*time.Second, []string{
		"-P -t Square -f 2000 --write-period 3000", "-S -t Square -f 2000",
	}, func(t *testing.T, p []*program) {
		p[0].want("on_offered_deadline_missed() topic: 'Square'  type: 'ShapeType' : (total = 1, change = 1)")
		p[1].want("on_requested_deadline_missed() topic: 'Square'  type: 'ShapeType' : (total = 1, change = 1)")
	})
}

func TestFinalState(t *testing.T) {
	for final, want := range map[string]string{
		"--final-instance-state u": "NOT_ALIVE_NO_WRITERS_INSTANCE_STATE", "--final-instance-state d": "NOT_ALIVE_DISPOSED_INSTANCE_STATE",
		"": "NOT_ALIVE_NO_WRITERS_INSTANCE_STATE",
	} {
		scene(t, 5*time.Second, []string{
			"-P -t Square --num-iterations 50 --num-instances 3 " + final, "-S -t Square",
		}, func(t *testing.T, p []*program) {
			for i := range 3 {
				p[1].want(fmt.Sprintf("Square     %-10s %s", []string{"BLUE", "BLUE1", "BLUE2"}[i], want))
			}
		})
	}
}

func TestLargeData(t *testing.T) {
	scene(t, 10*time.Second, []string{
		"-P -t Square -r -k 0 --additional-payload-size 100000", "-S -t Square -r -k 0",
	}, func(t *testing.T, p []*program) {
		if n := len(p[1].sizes()["Square BLUE"]); n < 50 {
			t.Errorf("%d samples", n)
		}
		p[1].want("[20] {255}")
	})
}

func TestTopicsFilterAndOwner(t *testing.T) {
	scene(t, 4*time.Second, []string{
		"-P -t Square -s 1 -z 20 --num-topics 2", "-P -t Square -s 2 -z 30 --num-topics 2", "-P -t Square -s 1 -c RED -z 40",
		"-S -t Square -s 0 --num-topics 2", "-S -t Square -s 0 -c RED",
	}, func(t *testing.T, p []*program) {
		owned, red := p[3].sizes(), p[4].sizes()
		for _, topic := range []string{"Square BLUE", "Square1 BLUE"} {
			if s := owned[topic]; len(s) < 20 || s[len(s)-1] != 30 {
				t.Errorf("%s: %v", topic, s)
			}
		}
		if len(red) != 1 || len(red["Square RED"]) < 20 {
			t.Errorf("filtered: %v", red)
		}
	})
}

// TestOrderedAccess: with the scope of the topic samples keep their order over instances.
func TestOrderedAccess(t *testing.T) {
	scene(t, 5*time.Second, []string{
		"-P -t Square -r -k 0 --ordered --access-scope t -z 0 --num-instances 4 --write-period 100",
		"-S -t Square -r -k 0 --ordered --access-scope i --take-read --read-period 400",
		"-S -t Square -r -k 0 --ordered --access-scope t --take-read --read-period 400",
	}, func(t *testing.T, p []*program) {
		for i, same := range []bool{true, false} {
			p[i+1].want("Reading with ordered access, iteration 3")
			var equal, different int
			last := ""
			for _, line := range p[i+1].lines() {
				if m := sample.FindStringSubmatch(line); m != nil {
					if last == m[2] {
						equal++
					} else {
						different++
					}
					last = m[2]
				}
			}
			if equal+different < 100 || (equal > different) != same {
				t.Errorf("reader %d: %d equal, %d different", i, equal, different)
			}
		}
	})
}
