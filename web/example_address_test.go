// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web"
)

// With port 0 the system chooses a free port; Address returns it.
func ExampleServer_Address() {
	server, err := web.New(web.Config{Address: "localhost:0", Transport: ros2test.NewTransport(), Types: msgs.Definition})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(server.Address().Network(), strings.HasSuffix(server.Address().String(), ":0"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(server.Serve(ctx))
	// Output:
	// tcp false
	// <nil>
}
