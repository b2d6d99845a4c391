// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// scene is a network in memory with a hub, its diagnostics, and a robot's node.
type scene struct {
	*testing.T
	ether *ros2test.Network
	hub   *hub.Hub
	d     *Diagnostics
	robot *ros2.Node
}

// inScene runs a test in a synctest bubble.
func inScene(t *testing.T, test func(s *scene)) {
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, ether: ros2test.NewNetwork()}
		var err error
		s.hub, err = hub.New(hub.Config{
			Transport: s.ether.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "web"}, Types: msgs.Definition,
		})
		s.must(err)
		s.d = NewDiagnostics(s.hub)
		s.robot, err = ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: s.ether.NewTransport()})
		s.must(err)
		test(s)
		s.d.Close()
		s.must(s.robot.Close())
		s.must(s.hub.Close())
	})
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// publisher returns a publisher of /diagnostics.
func (s *scene) publisher() *ros2.Publisher[diagnostic_msgs.DiagnosticArray] {
	s.Helper()
	p, err := ros2.NewPublisher[diagnostic_msgs.DiagnosticArray](s.robot, "/diagnostics", ros2.DefaultQoS())
	s.must(err)
	return p
}

// scrape returns the page without the descriptions, and how long it took.
func (s *scene) scrape() (string, time.Duration) {
	begin := time.Now()
	var page Text
	s.d.Write(s.Context(), &page)
	var lines []string
	for line := range strings.Lines(string(page.Bytes())) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ""), time.Since(begin)
}

func array(status ...diagnostic_msgs.DiagnosticStatus) *diagnostic_msgs.DiagnosticArray {
	return &diagnostic_msgs.DiagnosticArray{Status: status}
}

func TestScrapeWithoutRobotsDoesNotWait(t *testing.T) {
	inScene(t, func(s *scene) {
		if page, took := s.scrape(); page != "" || took != 0 {
			s.Errorf("%q after %v", page, took)
		}
	})
}

func TestFirstScrapeWaitsForTheRobot(t *testing.T) {
	inScene(t, func(s *scene) {
		p := s.publisher()
		time.AfterFunc(time.Second, func() {
			if err := p.Publish(array(diagnostic_msgs.DiagnosticStatus{
				Level: 1, Name: "robot: bus", HardwareID: "epuck 7",
				Values: []diagnostic_msgs.KeyValue{
					{Key: "errors", Value: "4"}, {Key: "longest poll (ms)", Value: "3.5"}, {Key: "errors", Value: "5"},
					{Key: "state", Value: "slow"}, {Key: "odd (", Value: "1"},
				},
			})); err != nil {
				s.Error(err)
			}
		})
		page, took := s.scrape()
		const want = `ros_diagnostic_level{node="robot",status="bus",hardware="epuck 7"} 1
ros_diagnostic_value{node="robot",status="bus",hardware="epuck 7",key="errors",unit=""} 4
ros_diagnostic_value{node="robot",status="bus",hardware="epuck 7",key="longest poll",unit="ms"} 3.5
ros_diagnostic_value{node="robot",status="bus",hardware="epuck 7",key="odd (",unit=""} 1
`
		if page != want {
			s.Errorf("got\n%swant\n%s", page, want)
		}
		if took != time.Second {
			s.Errorf("took %v, the robot published after a second", took)
		}
		if again, took := s.scrape(); again != want || took != 0 {
			s.Errorf("the second scrape took %v:\n%s", took, again)
		}
	})
}

func TestFirstScrapeGivesUp(t *testing.T) {
	inScene(t, func(s *scene) {
		s.publisher()
		if page, took := s.scrape(); page != "" || took != firstWait {
			s.Errorf("%q after %v, want nothing after %v", page, took, firstWait)
		}
		ctx, cancel := context.WithTimeout(s.Context(), 10*time.Millisecond)
		defer cancel()
		begin := time.Now()
		s.d.Write(ctx, &Text{})
		if took := time.Since(begin); took != 10*time.Millisecond {
			s.Errorf("waited %v for a scrape that was given up after 10 ms", took)
		}
	})
}

// published publishes one entry and checks that a scrape has it.
func (s *scene) published() *ros2.Publisher[diagnostic_msgs.DiagnosticArray] {
	s.Helper()
	p := s.publisher()
	s.scrape()
	s.must(p.Publish(array(diagnostic_msgs.DiagnosticStatus{Name: "bus", HardwareID: "h"})))
	if page, _ := s.scrape(); page != "ros_diagnostic_level{node=\"\",status=\"bus\",hardware=\"h\"} 0\n" {
		s.Fatalf("%q", page)
	}
	return p
}

func TestStaleEntriesAreRemoved(t *testing.T) {
	inScene(t, func(s *scene) {
		s.published()
		time.Sleep(forgetTime)
		if page, _ := s.scrape(); page == "" {
			s.Error("forgotten too early")
		}
		time.Sleep(time.Millisecond)
		if page, _ := s.scrape(); page != "" {
			s.Errorf("still there: %q", page)
		}
	})
}

func TestSubscriptionEndsWhenScrapesEnd(t *testing.T) {
	inScene(t, func(s *scene) {
		s.published()
		for range 3 { // each scrape puts the end off
			time.Sleep(keepTime - time.Second)
			s.scrape()
		}
		if n := s.hub.Stats().Subscriptions; n != 1 {
			s.Fatalf("%d subscriptions while it is scraped", n)
		}
		time.Sleep(keepTime + time.Millisecond)
		synctest.Wait()
		if n := s.hub.Stats().Subscriptions; n != 0 {
			s.Errorf("%d subscriptions long after the last scrape", n)
		}
		s.scrape()
		if n := s.hub.Stats().Subscriptions; n != 1 {
			s.Errorf("%d subscriptions after the next scrape", n)
		}
	})
}

func TestClosedDiagnosticsDoNotSubscribe(t *testing.T) {
	inScene(t, func(s *scene) {
		s.published()
		s.d.Close()
		s.d.Close()
		if n := s.hub.Stats().Subscriptions; n != 0 {
			s.Errorf("%d subscriptions", n)
		}
		if _, err := s.d.subscribe(); !errors.Is(err, hub.ErrClosed) {
			s.Error(err)
		}
	})
}

func TestManyEntriesAreBounded(t *testing.T) {
	inScene(t, func(s *scene) {
		p := s.published()
		for i := range 3 {
			many := &diagnostic_msgs.DiagnosticArray{}
			for j := range maxEntries {
				name := fmt.Sprintf("n%d.%d", i, j)
				many.Status = append(many.Status, diagnostic_msgs.DiagnosticStatus{Name: name})
			}
			s.must(p.Publish(many))
		}
		page, _ := s.scrape()
		if n := strings.Count(page, "\n"); n != maxEntries {
			s.Errorf("%d entries are kept, want %d", n, maxEntries)
		}
		// A known entry is still updated.
		s.must(p.Publish(array(diagnostic_msgs.DiagnosticStatus{Name: "bus", HardwareID: "h", Level: 2})))
		if page, _ := s.scrape(); !strings.Contains(page, `status="bus",hardware="h"} 2`) {
			s.Error("a known entry does not change any more")
		}
	})
}

func TestBrokenDiagnosticsAreIgnored(t *testing.T) {
	inScene(t, func(s *scene) {
		s.d.store(&hub.Message{Data: []byte{0, 1, 0, 0, 255, 255, 255, 255}})
		s.d.store(&hub.Message{})
		if len(s.d.entries) != 0 {
			s.Errorf("%v", s.d.entries)
		}
	})
}

func TestSplitUnit(t *testing.T) {
	for _, c := range []struct{ key, name, unit string }{
		{"errors", "errors", ""}, {"voltage (V)", "voltage", "V"}, {"a (b) (c)", "a", "b) (c"},
		{"open (ms", "open (ms", ""}, {"(ms)", "(ms)", ""}, {"", "", ""},
	} {
		if name, unit := splitUnit(c.key); name != c.name || unit != c.unit {
			t.Errorf("splitUnit(%q) = %q, %q", c.key, name, unit)
		}
	}
}
