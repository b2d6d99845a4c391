// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// several is an application of several processes: each has a transport on a common network, and its own coordinator.
type several struct {
	t       *testing.T
	net     *ros2test.Network
	first   *application // the leader's process
	leader  *order.Leader
	mu      sync.Mutex // guards the two fields below
	members []*application
	ended   []chan error
	group   task.Group
}

// newSeveral creates the leader's process; member creates the others.
func newSeveral(t *testing.T, cfg order.Config, lead order.LeaderConfig) *several {
	s := &several{t: t, net: ros2test.NewNetwork()}
	s.first = newApplication(t, cfg, s.net.NewTransport())
	lead.Transport = s.first.inner
	var err error
	if s.leader, err = order.Lead(s.first.c, lead); err != nil {
		t.Fatal(err)
	}
	return s
}

// member creates a process on a transport (nil: one of the network), builds its nodes and starts it as a member.
func (s *several) member(name string, slow func(ros2.ServiceTransport) ros2.ServiceTransport, build func(a *application)) *application {
	s.t.Helper()
	a := newApplication(s.t, order.Config{}, s.net.NewTransport())
	outer := ros2.ServiceTransport(a.inner)
	if slow != nil {
		outer = slow(outer)
		a.tr = a.c.Transport(outer)
	}
	build(a)
	m, err := order.Join(a.c, order.MemberConfig{Name: name, Transport: outer})
	if err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	s.mu.Lock()
	s.members, s.ended = append(s.members, a), append(s.ended, ended)
	s.mu.Unlock() // before it starts: its actions may end a test
	s.group.Go("a member", func() { ended <- m.Run(s.t.Context()) })
	return a
}

func (s *several) advance(to time.Duration) {
	s.t.Helper()
	if err := s.leader.Advance(time.Time{}.Add(to)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *several) close() {
	s.t.Helper()
	if err := s.leader.Close(); err != nil {
		s.t.Error(err)
	}
	s.group.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.members {
		if err := <-s.ended[i]; err != nil {
			s.t.Errorf("member %d ended with %v", i, err)
		}
		a.close()
	}
	s.first.close()
}

// A chain over three processes and back: each link one microstep later, as in one process.
func TestSeveralProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b", "c"}})
		defer s.close()
		a := s.first
		na := a.node("a")
		scan := a.says(na, "scan")
		a.hears(na, "command", func(string) {})
		a.every(na, "measure", 20*time.Millisecond, func(time.Time) { scan("5 cm") })
		relay := func(name, from, to string) func(*application) {
			return func(m *application) {
				n := m.node(name)
				m.hears(n, from, m.says(n, to))
			}
		}
		s.member("b", nil, relay("b", "scan", "plan"))
		s.member("c", nil, relay("c", "plan", "command"))
		s.advance(30 * time.Millisecond)
		s.first.expect(
			`0.020000000+0 /a timer "measure" > /scan`,
			`0.020000000+1 /b subscription "/scan" in b > /plan`,
			`0.020000000+2 /c subscription "/plan" in c > /command`,
			`0.020000000+3 /a subscription "/command"`,
		)
	})
}

// split runs the swarm of suite_test in four processes, one of them the leader's.
func split(s *several, delay func(), slow func(ros2.ServiceTransport) ros2.ServiceTransport) {
	sensor := func(a *application, name string, i int) {
		n := a.node(name)
		sensorOf(a, n, i, delay)
	}
	sensor(s.first, "left", 0)
	s.member("right", slow, func(a *application) { sensor(a, "right", 1) })
	s.member("filter", slow, func(a *application) { filterOf(a, a.node("filter"), delay) })
	s.member("planner", slow, func(a *application) { plannerOf(a, a.node("planner"), delay) })
}

// The swarm over four processes: the same record in each run, whatever order its messages arrive in, one callback at a
// time or in parallel, and whichever process is slow.
func TestSeveralProcessesRepeat(t *testing.T) {
	var first [sha256.Size]byte
	var record []order.Run
	for i := range 10 {
		synctest.Test(t, func(t *testing.T) {
			s := newSeveral(t, order.Config{Parallel: i%2 == 1}, order.LeaderConfig{Members: []string{"right", "filter", "planner"}})
			defer s.close()
			split(s, func() {
				if random(20) == 0 {
					time.Sleep(time.Duration(random(300)) * time.Millisecond)
				}
			}, late)
			s.advance(200 * time.Millisecond)
			lines := s.first.record()
			hash := sha256.Sum256([]byte(strings.Join(lines, "\n")))
			if i == 0 {
				if first, record = hash, s.first.history(); len(lines) < 60 {
					t.Fatalf("only %d callbacks ran:\n%s", len(lines), strings.Join(lines, "\n"))
				}
			} else if hash != first {
				t.Fatalf("run %d: %s", i, order.Difference(record, s.first.history()))
			}
		})
	}
}

// tardy is a transport with random delays: messages of different senders are reordered.
type tardy struct{ ros2.ServiceTransport }

func late(inner ros2.ServiceTransport) ros2.ServiceTransport { return tardy{inner} }

func (t tardy) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	call := cfg.OnSample
	var mu, calling sync.Mutex
	last := map[ros2.GID]time.Time{}
	cfg.OnSample = func(s ros2.Sample) {
		s.Payload = slices.Clone(s.Payload)
		mu.Lock()
		due := time.Now().Add(time.Duration(random(1000)) * time.Microsecond)
		if due.Before(last[s.Info.Publisher].Add(time.Microsecond)) { // those of one sender keep their order
			due = last[s.Info.Publisher].Add(time.Microsecond)
		}
		last[s.Info.Publisher] = due
		mu.Unlock()
		task.AfterFunc(time.Until(due), "a message that is late", func() {
			calling.Lock()
			defer calling.Unlock()
			call(s)
		})
	}
	return t.ServiceTransport.NewReader(cfg)
}

// A member unknown to the leader is rejected, and so is a second one with the same name.
func TestUnknownMembersAreRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		s.member("b", nil, func(a *application) { a.node("b") })
		s.advance(time.Second)
		for _, name := range []string{"b", "x"} {
			a := newApplication(t, order.Config{}, s.net.NewTransport())
			m, err := order.Join(a.c, order.MemberConfig{Name: name, Transport: a.inner})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Run(t.Context()); !errors.Is(err, order.ErrRefused) {
				t.Errorf("%s ended with %v", name, err)
			}
			a.close()
		}
		s.close()
	})
}

// When two runs of several processes differ, the report names the first differing callback of the second.
func TestDifferenceOfSeveral(t *testing.T) {
	var records [][]order.Run
	for _, members := range [][]string{{"a", "b"}, {"b", "a"}} {
		synctest.Test(t, func(t *testing.T) {
			s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: members})
			defer s.close()
			say := s.first.says(s.first.node("robot"), "scan")
			s.first.every(s.first.nodes[0], "measure", 3200*time.Millisecond, func(time.Time) { say("5 cm") })
			for _, name := range []string{"a", "b"} {
				s.member(name, nil, func(a *application) { a.hears(a.node(name), "scan", func(string) {}) })
			}
			s.advance(4 * time.Second)
			records = append(records, s.first.history())
		})
	}
	if got, want := order.Difference(records[0], records[1]), "run 2 diverges from run 1 at t = 0.000 s: member b joined where member a joined"; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	for i := range records {
		records[i] = slices.DeleteFunc(records[i], func(r order.Run) bool { return r.Source.Name == "joined" })
	}
	const want = `run 2 diverges from run 1 at t = 3.200 s: node /b ran before /a (/b subscription "/scan" in b, not /a subscription "/scan" in a)`
	if got := order.Difference(records[0], records[1]); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
