// SPDX-License-Identifier: Apache-2.0

package waitset_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// newNode creates a node on its own transport.
func newNode(t testing.TB) *ros2.Node {
	t.Helper()
	tr := ros2test.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		tr.Close()
	})
	return n
}
