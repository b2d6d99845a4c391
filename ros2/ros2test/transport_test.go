// SPDX-License-Identifier: Apache-2.0

package ros2test_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

var node = ros2.NodeName{Namespace: "/", Name: "n"}

// config returns the configuration of an endpoint on /x whose matches go to
// counts.
func config(qos ros2.QoS, counts *[]int) ros2.EndpointConfig {
	return ros2.EndpointConfig{
		Node: node, Topic: "/x", Type: "std_msgs/msg/String", QoS: qos,
		OnMatch: func(n int) { *counts = append(*counts, n) },
	}
}

func TestRecords(t *testing.T) {
	clock := ros2.NewManualClock(time.Unix(5, 0))
	tr := ros2test.NewNetworkWithClock(clock).NewTransport()
	defer tr.Close()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	pub, err := ros2.NewPublisher[std_msgs.String](n, "x", ros2.LatchedQoS())
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) {
		t.Helper()
		if err := pub.Publish(&std_msgs.String{Data: text}); err != nil {
			t.Fatal(err)
		}
	}
	say("before Record")
	tr.Record()
	say("alone")
	clock.Advance(time.Second)
	n.Batch(func() { n.Batch(func() { say("nested") }) })
	n.Batch(func() { say("batch") })
	var batches []int
	for _, r := range tr.Recorded("/x") {
		batches = append(batches, r.Batch)
	}
	if !slices.Equal(batches, []int{0, 1, 2}) || tr.Batches() != 2 {
		t.Errorf("batches %v of %d", batches, tr.Batches())
	}
	if at := tr.Recorded("/x")[1].Info.SourceTime; !at.Equal(time.Unix(6, 0)) {
		t.Errorf("stamped %v", at)
	}
	if m := ros2test.Messages[std_msgs.String](t, tr, "/x"); len(m) != 3 || m[2].Data != "batch" {
		t.Errorf("messages %v", m)
	}
	if got := tr.RecordedTopics(); !slices.Equal(got, []string{"/x"}) {
		t.Errorf("topics %v", got)
	}
	tr.Uncork()
	if !errors.Is(tr.Err(), ros2test.ErrUncork) {
		t.Errorf("after one Uncork too many: %v", tr.Err())
	}
}

func TestFaults(t *testing.T) {
	tr := ros2test.NewTransport()
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: config(ros2.QoS{}, new([]int))})
	if err != nil {
		t.Fatal(err)
	}
	full, lost := errors.New("full"), errors.New("lost")
	tr.FailWrites(full)
	err1 := w.Write(nil)
	tr.FailWrites(nil)
	err2 := w.Write(nil)
	tr.Break(lost)
	tr.Break(full) // the first reason stays
	err3 := w.Write(nil)
	if !errors.Is(err1, full) || err2 != nil || !errors.Is(err3, lost) || !errors.Is(tr.Err(), lost) {
		t.Errorf("%v, %v, %v, %v", err1, err2, err3, tr.Err())
	}
	<-tr.Done()
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if err := tr.RemoveNode(node); err == nil {
		t.Error("a node that was not added is removed")
	}
	if _, err := tr.NewReader(ros2.ReaderConfig{}); !errors.Is(err, lost) {
		t.Errorf("new reader on a broken transport: %v", err)
	}
}

// A transient-local reader hears each message once and in order, however the
// match falls between the messages.
func TestLateReaderWhilePublishing(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	qos := ros2.QoS{Durability: ros2.TransientLocal, History: ros2.KeepAll}
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/x", QoS: qos}})
	if err != nil {
		t.Fatal(err)
	}
	const n = 500
	var wg sync.WaitGroup
	wg.Go(func() {
		for range n {
			if err := w.Write([]byte{1}); err != nil {
				t.Error(err)
			}
		}
	})
	heard := make([][]int64, 8)
	for i := range heard {
		wg.Go(func() {
			if _, err := tr.NewReader(ros2.ReaderConfig{
				EndpointConfig: ros2.EndpointConfig{Topic: "/x", QoS: qos},
				OnSample:       func(s ros2.Sample) { heard[i] = append(heard[i], s.Info.Sequence) },
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, seqs := range heard {
		if len(seqs) != n {
			t.Errorf("heard %d messages, want %d", len(seqs), n)
		}
		for i, seq := range seqs {
			if seq != int64(i+1) {
				t.Fatalf("message %d has number %d", i, seq)
			}
		}
	}
}

func Example() {
	tr := ros2test.NewTransport()
	defer tr.Close()
	tr.Record()
	n, _ := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: tr})
	defer n.Close()
	pub, _ := ros2.NewPublisher[std_msgs.String](n, "state", ros2.LatchedQoS())
	fmt.Println(pub.Publish(&std_msgs.String{Data: "ready"}), len(tr.Recorded("/state")))
	// Output: <nil> 1
}
