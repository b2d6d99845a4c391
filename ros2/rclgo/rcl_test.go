// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// testDomain is a domain that the conformance suite does not use.
const testDomain = 88

func openTest(t testing.TB) *Transport {
	t.Helper()
	tr, err := New(Config{DomainID: testDomain})
	if err != nil {
		t.Fatal(err)
	}
	return tr.(*Transport)
}

var name = ros2.NodeName{Namespace: "/", Name: "n"}

func addNode(t testing.TB, tr *Transport) {
	t.Helper()
	if err := tr.AddNode(name); err != nil {
		t.Fatal(err)
	}
}

func endpointOn(topic string) ros2.EndpointConfig {
	return ros2.EndpointConfig{Node: name, Topic: topic, Type: "std_msgs/msg/String", QoS: ros2.DefaultQoS()}
}

func trigger(service string) ros2.ServiceConfig {
	return ros2.ServiceConfig{Node: name, Name: service, Type: std_srvs.Trigger{}.ROSType(), QoS: ros2.ServicesQoS()}
}

func TestArgumentsForRCL(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", ""},
		{"--world maze", ""},
		{"--ros-args -r a:=b --remap __ns:=/x --remap=c:=d -p x:=1 --param y:=2 --params-file f.yaml --params-file=g.yaml", ""},
		{"sim --ros-args --log-level debug -e /robots/one -r a:=b -- --for 2s", "--log-level debug -e /robots/one"},
		{"--ros-args --enclave /a -- x --ros-args --enable-external-lib-logs", "--enclave /a --enable-external-lib-logs"},
		{"--ros-args --disable-rosout-logs --enable-rosout-logs --disable-stdout-logs", "--disable-stdout-logs"},
	} {
		want := slices.Concat([]string{"--ros-args", "--disable-external-lib-logs"}, strings.Fields(c.want), []string{"--disable-rosout-logs"})
		if got := forRCL(strings.Fields(c.args)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", c.args, got, want)
		}
	}
}

func TestArgumentsRefused(t *testing.T) {
	tr, err := New(Config{DomainID: testDomain, Args: strings.Fields("--ros-args --log-level shouting")})
	var refused *rclgo.InvalidRosArgs
	if tr != nil || !errors.Is(err, ErrRCL) || !errors.As(err, &refused) || !strings.Contains(err.Error(), "shouting") {
		t.Errorf("a log level that is none: %v", err)
	}
	for _, domain := range []int{-2, 256} {
		if _, err := New(Config{DomainID: domain}); !errors.Is(err, ErrConfig) {
			t.Errorf("domain %d: %v", domain, err)
		}
	}
}

func TestDescription(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	if got, want := tr.Description(), "rclgo ("+os.Getenv("RMW_IMPLEMENTATION")+")"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestErrorsKeepTheirText: many goroutines whose calls fail concurrently get their own error texts, which rcl stores by
// thread.
func TestErrorsKeepTheirText(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	var wg sync.WaitGroup
	for i := range 64 {
		bad, want := ros2.NodeName{Namespace: "/", Name: "not a name"}, "node name must not contain"
		if i%2 == 0 {
			bad, want = ros2.NodeName{Namespace: "/not a name", Name: "n"}, "namespace must not contain"
		}
		wg.Go(func() {
			err := tr.AddNode(bad)
			var name *rclgo.NodeInvalidName
			var namespace *rclgo.NodeInvalidNamespace
			if !errors.Is(err, ErrRCL) || errors.As(err, &name) == errors.As(err, &namespace) {
				t.Errorf("%+v: %v", bad, err)
			} else if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") {
				t.Errorf("%+v: text %q, want %q in it", bad, text, want)
			}
		})
		wg.Go(func() {
			if n := tr.count(ros2.PublisherEndpoint, "bad name"); n != 0 {
				t.Errorf("%d publishers of a topic that cannot be", n)
			}
		})
	}
	wg.Wait()
	if err := tr.AddNode(name); err != nil {
		t.Errorf("after the errors of others: %v", err)
	}
}

func TestMissingTypes(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	for typ, want := range map[string]error{
		"no_such_msgs/msg/Thing": ErrType, "std_msgs/msg/NoSuchThing": ErrType,
		"std_msgs/action/NoSuchThing_FeedbackMessage": ErrType, "std_msgs/String": ErrConfig, "std_msgs/srv/String": ErrConfig, "": ErrConfig, "/msg/": ErrConfig,
	} {
		cfg := endpointOn("/x")
		cfg.Type = typ
		_, wErr := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
		_, rErr := tr.NewReader(ros2.ReaderConfig{EndpointConfig: cfg, OnSample: func(ros2.Sample) {}})
		for _, err := range []error{wErr, rErr} {
			if !errors.Is(err, want) || errors.Is(want, ros2.ErrNoType) != errors.Is(err, ros2.ErrNoType) {
				t.Errorf("%q: %v, want %v", typ, err, want)
			}
		}
	}
	for typ, want := range map[string]error{"no_such_msgs/srv/Thing": ErrType, "std_srvs/srv/NoSuchThing": ErrType, "std_srvs/action/NoSuchThing_SendGoal": ErrType, "std_srvs/msg/Trigger": ErrConfig} {
		cfg := trigger("/x")
		cfg.Type = typ
		_, sErr := tr.NewServer(ros2.ServerConfig{ServiceConfig: cfg, OnRequest: func(ros2.Request) {}})
		_, cErr := tr.NewRequester(ros2.ClientConfig{ServiceConfig: cfg, OnReply: func(int64, ros2.Sample) {}})
		for _, err := range []error{sErr, cErr} {
			if !errors.Is(err, want) {
				t.Errorf("%q: %v, want %v", typ, err, want)
			}
		}
	}
	cfg := endpointOn("/x")
	cfg.Type = "no_such_msgs/msg/Thing"
	if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg}); !strings.Contains(fmt.Sprint(err), "ros-$ROS_DISTRO-no-such-msgs") {
		t.Errorf("%v does not name the package to install", err)
	}
}

func TestBadConfigurations(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")}); !errors.Is(err, ErrConfig) {
		t.Errorf("a writer on a node that was not added: %v", err)
	}
	addNode(t, tr)
	_, reader := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x")})
	_, server := tr.NewServer(ros2.ServerConfig{ServiceConfig: trigger("/x")})
	_, client := tr.NewRequester(ros2.ClientConfig{ServiceConfig: trigger("/x")})
	for _, err := range []error{reader, server, client} {
		if !errors.Is(err, ErrConfig) {
			t.Errorf("without a callback: %v", err)
		}
	}
	if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("no slash")}); !errors.Is(err, ErrRCL) {
		t.Errorf("a topic that cannot be: %v", err)
	}
}

// TestRequestIsNeverStuck: without a server, Send fails at once.
func TestRequestIsNeverStuck(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	available := make(chan bool, 8)
	c, err := tr.NewRequester(ros2.ClientConfig{
		ServiceConfig: trigger("/ask"), OnReply: func(int64, ros2.Sample) {}, OnAvailable: func(a bool) { available <- a },
	})
	if err != nil {
		t.Fatal(err)
	}
	request, err := cdr.Marshal(nil, &std_srvs.TriggerRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(1, request); !errors.Is(err, ros2.ErrNoServer) || c.Available() {
		t.Errorf("sent without a server: %v", err)
	}
	s, err := tr.NewServer(ros2.ServerConfig{ServiceConfig: trigger("/ask"), OnRequest: func(ros2.Request) {}})
	if err != nil {
		t.Fatal(err)
	}
	if !<-available || !c.Available() {
		t.Error("an available server is not reported")
	}
	if err := c.Send(2, []byte{0, 1}); !errors.Is(err, ErrConfig) {
		t.Errorf("a request of two bytes: %v", err)
	}
	if err := c.Send(3, request); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if <-available || c.Available() {
		t.Error("a server that left is still there")
	}
}

// TestClosedWhileInUse: a transport can be closed while publishers are in use.
func TestClosedWhileInUse(t *testing.T) {
	tr := openTest(t)
	addNode(t, tr)
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(ros2.Sample) {}}); err != nil {
		t.Fatal(err)
	}
	payload, err := cdr.Marshal(nil, &std_msgs.String{Data: "x"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				if err := w.Write(payload); err != nil {
					if !errors.Is(err, ros2.ErrClosed) {
						t.Error(err)
					}
					return
				}
				tr.Graph()
			}
		})
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if err := tr.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("a writer closed after its transport: %v", err)
	}
	if err := tr.Err(); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("Err: %v", err)
	}
	if g := tr.Graph(); len(g.Nodes) != 0 {
		t.Errorf("graph of a closed transport: %+v", g)
	}
}

func TestQoSThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.Int64Range(0, int64(longest)-1).Draw(t, "period"))
		})
		q := ros2.QoS{
			Reliability:     ros2.Reliability(rapid.IntRange(0, 1).Draw(t, "reliability")),
			Durability:      ros2.Durability(rapid.IntRange(0, 1).Draw(t, "durability")),
			Depth:           rapid.IntRange(1, 5000).Draw(t, "depth"),
			Deadline:        period.Draw(t, "deadline"),
			Lifespan:        period.Draw(t, "lifespan"),
			Liveliness:      ros2.Liveliness(rapid.IntRange(0, 1).Draw(t, "liveliness")),
			LivelinessLease: period.Draw(t, "lease"),
		}
		if rapid.Bool().Draw(t, "all") {
			q.History, q.Depth = ros2.KeepAll, 0
		}
		if got := fromRCL(toRCL(q)); got != q {
			t.Fatalf("%+v became %+v", q, got)
		}
	})
	if got := fromRCL(rclgo.QosProfile{Deadline: rclgo.DurationInfinite, Lifespan: longest, LivelinessLeaseDuration: -1}); got != (ros2.QoS{}) {
		t.Errorf("no limits became %+v", got)
	}
}
