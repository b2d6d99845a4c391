// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestCallbackLosesTheMemoryOfItsMessage: another program truncates the file of a message while a callback reads it: the
// program continues, and the callback is called with the later messages.
func TestCallbackLosesTheMemoryOfItsMessage(t *testing.T) {
	const size = 300_000
	for name, options := range map[string][]ros2.SubscriptionOption{"one reader": nil, "every publisher": {ros2.MatchAllPublishers()}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := vnet.New(vnet.Config{})
				var transports [2]*Transport
				for i := range transports {
					var err error
					if transports[i], err = New(Config{Network: net.Host(byte(1 + i)), SharedMemory: 8 << 20}); err != nil {
						t.Fatal(err)
					}
				}
				prefix := transports[0].participant.GUID().Prefix
				file := filepath.Join("/dev/shm", fmt.Sprintf("epuck-rtps-%x", prefix[:]))
				var mu sync.Mutex
				var got []byte
				talker, listener := newNode(t, transports[0], "talker", nil), newNode(t, transports[1], "listener", nil)
				_, err := ros2.NewLoanedSubscription(listener, "image", ros2.DefaultQoS(), func(l ros2.Loan[sensor_msgs.Image], _ ros2.MessageInfo) {
					defer l.Return()
					m := l.Message()
					first := m.Data[0]
					if first == 3 {
						if err := os.Truncate(file, 0); err != nil {
							t.Error(err)
						}
					}
					same := !slices.ContainsFunc(m.Data, func(b byte) bool { return b != first })
					mu.Lock()
					defer mu.Unlock()
					if got = append(got, first); !same {
						t.Errorf("image %d differs", first)
					}
				}, options...)
				if err != nil {
					t.Fatal(err)
				}
				pub, err := ros2.NewPublisher[sensor_msgs.Image](talker, "image", ros2.DefaultQoS())
				if err != nil {
					t.Fatal(err)
				}
				settle()
				for i := range byte(8) {
					m := sensor_msgs.Image{Data: make([]byte, size)}
					for k := range m.Data {
						m.Data[k] = i
					}
					if err := pub.Publish(&m); err != nil {
						t.Fatal(err)
					}
					settle()
				}
				mu.Lock()
				if want := []byte{0, 1, 2, 4, 5, 6, 7}; !slices.Equal(got, want) {
					t.Errorf("read completely: %v, want %v", got, want)
				}
				mu.Unlock()
				if err := errors.Join(talker.Close(), listener.Close(), transports[1].Close(), transports[0].Close()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
