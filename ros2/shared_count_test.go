// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// exchangeOnly is a transport of nothing but an exchange: what does not go by
// pointer is lost.
type exchangeOnly struct {
	Transport
	local Exchange
}

func (*exchangeOnly) AddNode(NodeName) error                 { return nil }
func (*exchangeOnly) RemoveNode(NodeName) error              { return nil }
func (*exchangeOnly) NewWriter(WriterConfig) (Writer, error) { return nothing{}, nil }
func (*exchangeOnly) NewReader(ReaderConfig) (Reader, error) { return nothing{}, nil }
func (x *exchangeOnly) Exchange() *Exchange                  { return &x.local }

type nothing struct{}

func (nothing) Write([]byte) error { return nil }
func (nothing) GID() GID           { return GID{1} }
func (nothing) Close() error       { return nil }

func sharedNode(t *testing.T) (*Node, *SharedPublisher[std_msgs.Int64]) {
	t.Helper()
	n, err := NewNode(NodeConfig{Name: "n", Transport: &exchangeOnly{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	pub, err := NewSharedPublisher[std_msgs.Int64](n, "x", QoS{History: KeepAll})
	if err != nil {
		t.Fatal(err)
	}
	return n, pub
}

// Subscriptions come and go while several goroutines publish: each counts just the
// callbacks that it got, and the numbers of its messages rise.
func TestSharedCountsExactly(t *testing.T) {
	const seed = 1
	n, pub := sharedNode(t)
	steady, err := Listen(n, "x", QoS{History: KeepAll}, func(*std_msgs.Int64) {})
	if err != nil {
		t.Fatal(err)
	}
	var publishers, others sync.WaitGroup
	stop := make(chan struct{})
	var mu sync.Mutex
	var all []func() // to look at when nothing waits any more
	const each = 3000
	for range 3 {
		publishers.Go(func() {
			for i := range each {
				if err := pub.Publish(&std_msgs.Int64{Data: int64(i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 3 {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		others.Go(func() {
			for running := true; running; {
				select {
				case <-stop:
					running = false
				default:
				}
				var heard atomic.Int64
				var sub *Subscription[std_msgs.Int64]
				var err error
				if random.IntN(2) == 0 {
					sub, err = Listen(n, "x", QoS{Depth: 1 + random.IntN(20)}, func(*std_msgs.Int64) { heard.Add(1) })
				} else {
					sub, err = NewSubscription(n, "x", QoS{Depth: 1 + random.IntN(20)}, func(_ *std_msgs.Int64, info MessageInfo) {
						heard.Add(1)
						if info.SourceTime.IsZero() || info.Publisher != (GID{1}) {
							t.Errorf("info %+v", info)
						}
					})
				}
				if err != nil {
					t.Error(err)
					return
				}
				sub.Close()
				mu.Lock()
				all = append(all, func() {
					if counted, _ := sub.Received(); counted != heard.Load() {
						t.Errorf("counted %d, heard %d", counted, heard.Load())
					}
				})
				mu.Unlock()
			}
		})
	}
	publishers.Wait()
	close(stop)
	others.Wait()
	for pub.lane.state.Load() != laneIdle {
		runtime.Gosched()
	}
	for _, check := range all {
		check()
	}
	if counted, _ := steady.Received(); counted != 3*each || pub.total() != 3*each {
		t.Errorf("the steady one counted %d, the publisher %d, want %d", counted, pub.total(), 3*each)
	}
}

// A message counted while the audience is replaced goes to those it was counted for,
// however often it was.
func TestSharedCountFollowsTheAudience(t *testing.T) {
	_, pub := sharedNode(t)
	old := pub.audience.Load()
	for range 3 {
		pub.mu.Lock()
		pub.replaceLocked(newAudience[std_msgs.Int64](nil))
		pub.mu.Unlock()
	}
	current := pub.audience.Load()
	pub.audience.Store(old) // as its reader would have it who was slow
	to, first := pub.count()
	if to != current || first != 1 {
		t.Errorf("epoch %d, number %d, want epoch %d, number 1", to.epoch, first, current.epoch)
	}
}

// A publisher never runs out of numbers.
func TestSharedCountRenewsItself(t *testing.T) {
	n, pub := sharedNode(t)
	var last int64
	if _, err := NewSubscription(n, "x", QoS{}, func(_ *std_msgs.Int64, info MessageInfo) { last = info.Sequence }); err != nil {
		t.Fatal(err)
	}
	pub.counted.Add(countFull)
	for i := range int64(3) {
		if err := pub.Publish(new(std_msgs.Int64)); err != nil || last != countFull+1+i {
			t.Errorf("number %d, %v, want %d", last, err, countFull+1+i)
		}
	}
	if c := pub.counted.Load() & countMask; c != 2 {
		t.Errorf("%d messages in the new epoch, want 2", c)
	}
}
