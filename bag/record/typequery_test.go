// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// lateNames is a transport that finds endpoints before it finds the names of their nodes, as on a network where
// ros_discovery_info arrives late.
type lateNames struct {
	*ros2test.Transport
	mu       sync.Mutex
	named    bool
	noHashes bool
	observer []func()
}

func (l *lateNames) Graph() ros2.Graph {
	g := l.Transport.Graph()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range g.Endpoints {
		if e := &g.Endpoints[i]; e.Node.Name != "recorder" {
			if !l.named {
				e.Node = ros2.NodeName{}
			}
			if l.noHashes {
				e.TypeHash = ""
			}
		}
	}
	return g
}

func (l *lateNames) EndpointsOn(topic string) []ros2.EndpointInfo {
	return l.Graph().EndpointsOn(topic)
}

func (l *lateNames) OnGraphChange(f func()) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.observer = append(l.observer, f)
	return l.Transport.OnGraphChange(f)
}

// reveal makes the names known.
func (l *lateNames) reveal() {
	l.mu.Lock()
	l.named = true
	list := l.observer
	l.mu.Unlock()
	for _, f := range list {
		f()
	}
	time.Sleep(3 * graphInterval)
	synctest.Wait()
}

// onlyDescriptions are the definitions that a recorder needs in order to understand answers, and no others.
func onlyDescriptions(name string) (string, bool) {
	if strings.HasPrefix(name, "type_description_interfaces/") {
		return msgs.Definition(name)
	}
	return "", false
}

// withLateNames runs a test with a node that publishes /a, a std_msgs/String. A standard one describes its types.
func withLateNames(t *testing.T, l *lateNames, standard bool, f func(g *rig, say func(text string))) {
	t.Helper()
	cfg := Config{Types: onlyDescriptions, Select: Selection{Topics: []string{"/a"}}}
	dir := quickDir(t)
	synctest.Test(t, func(t *testing.T) {
		g := &rig{t: t, net: ros2test.NewNetwork(), dir: dir, result: make(chan error, 1), log: &logBuffer{}}
		g.talker = g.node("talker", g.net.NewTransport(), standard)
		say := g.publisher("a", ros2.DefaultQoS())
		l.Transport = g.net.NewTransport()
		g.recorderOn(cfg, l)
		f(g, say)
		g.stop()
	})
}

// schemas returns the definition of /a in each file of a bag, and in the bag as a whole, as ENCODING:TEXT.
func schemas(t *testing.T, dir string) (all []string, merged string) {
	t.Helper()
	meta, err := bag.ReadMetadata(dir)
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		b, err := bag.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for _, topic := range b.Topics() {
			if topic.Name == "/a" {
				return topic.SchemaEncoding + ":" + topic.Schema
			}
		}
		return "no topic"
	}
	for _, f := range meta.Files {
		all = append(all, read(dir+"/"+f.Path))
	}
	return all, read(dir)
}

func TestDefinitionIsRequestedWhenNodeNameArrives(t *testing.T) {
	l := &lateNames{}
	withLateNames(t, l, true, func(g *rig, say func(string)) {
		dir := g.start("run")
		say("1")
		g.settle()
		l.reveal()
		say("2")
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 1 /a 2]" {
			t.Error(got)
		}
		if files, _ := schemas(t, dir); fmt.Sprint(files) != "[ros2msg:string data\n]" {
			t.Errorf("%q", files)
		}
		if strings.Contains(g.log.String(), "without the definition") {
			t.Error(g.log)
		}
	})
}

// TestLateDefinitionIsInTheNextFile: MCAP has no means to change a channel, so a new file begins.
func TestLateDefinitionIsInTheNextFile(t *testing.T) {
	l := &lateNames{}
	withLateNames(t, l, true, func(g *rig, say func(string)) {
		dir := g.start("run")
		say("1")
		time.Sleep(definitionTimeout)
		g.settle()
		l.reveal()
		say("2")
		g.settle()
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 1 /a 2]" {
			t.Error(got)
		}
		files, merged := schemas(t, dir)
		if fmt.Sprint(files) != "[: ros2msg:string data\n]" || merged != "ros2msg:string data\n" {
			t.Errorf("files %q, bag %q", files, merged)
		}
		for _, line := range []string{"no ros_discovery_info message names them", "definition of the type received"} {
			if strings.Count(g.log.String(), line) != 1 {
				t.Errorf("want one line %q:\n%s", line, g.log)
			}
		}
	})
}

// TestReasonOfAMissingDefinition: the log names what is really missing.
func TestReasonOfAMissingDefinition(t *testing.T) {
	for name, c := range map[string]struct {
		l        *lateNames
		standard bool
		want     string
	}{
		"no name":    {&lateNames{}, true, "the nodes of its endpoints are unknown: no ros_discovery_info message names them"},
		"no hash":    {&lateNames{named: true, noHashes: true}, true, "announce no type hash, as in ROS 2 Humble and older"},
		"no service": {&lateNames{named: true}, false, "/talker/get_type_description"},
	} {
		t.Run(name, func(t *testing.T) {
			withLateNames(t, c.l, c.standard, func(g *rig, say func(string)) {
				dir := g.start("run")
				say("1")
				time.Sleep(definitionTimeout)
				g.settle()
				g.stop()
				if got := fmt.Sprint(texts(t, dir)); got != "[/a 1]" {
					t.Error(got)
				}
				if n := strings.Count(g.log.String(), "recorded without the definition"); n != 1 || !strings.Contains(g.log.String(), c.want) {
					t.Errorf("%d warnings, want one with %q:\n%s", n, c.want, g.log)
				}
			})
		})
	}
}

// TestMessagesAreNotLostWhenTooManyWaitForADefinition: they are recorded without it.
func TestMessagesAreNotLostWhenTooManyWaitForADefinition(t *testing.T) {
	withLateNames(t, &lateNames{}, true, func(g *rig, say func(string)) {
		dir := g.start("run")
		big := strings.Repeat("x", maxPending/4)
		for range 6 {
			say(big)
			g.settle()
		}
		if n := g.r.held.Load(); n != 0 {
			t.Errorf("%d bytes still wait", n)
		}
		g.stop()
		if got := texts(t, dir); len(got) != 6 {
			t.Errorf("%d messages", len(got))
		}
		if !strings.Contains(g.log.String(), "too many messages while the definition was requested") {
			t.Error(g.log)
		}
	})
}

// TestStopKeepsMessagesThatWaitForADefinition: a service may stop a recording right after its start.
func TestStopKeepsMessagesThatWaitForADefinition(t *testing.T) {
	withLateNames(t, &lateNames{}, true, func(g *rig, say func(string)) {
		dir := g.start("run")
		say("1")
		if _, err := g.r.Stop(g.t.Context()); err != nil {
			t.Error(err)
		}
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 1]" {
			t.Error(got)
		}
	})
}

// TestTypesOfOtherDistributionsAreKnown: the driver publishes Range as ROS 2 Jazzy has it.
func TestTypesOfOtherDistributionsAreKnown(t *testing.T) {
	inBubble(t, Config{Variants: []dynamic.Lookup{msgs.DefinitionJazzy}}, func(g *rig) {
		p, err := ros2.NewPublisher[jazzy.Range](g.talker, "a", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		dir := g.start("run")
		if err := p.Publish(&jazzy.Range{Range: 1}); err != nil {
			t.Fatal(err)
		}
		g.settle()
		g.stop()
		if _, schema := schemas(t, dir); !strings.Contains(schema, "\nfloat32 variance\n") {
			t.Errorf("%q", schema)
		}
		if strings.Contains(g.log.String(), "without the definition") {
			t.Error(g.log)
		}
	})
}
