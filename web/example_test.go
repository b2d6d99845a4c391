// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// A server for all robots of a network, here one in memory.
func Example() {
	server, err := web.New(web.Config{Address: "localhost:0", Transport: ros2test.NewTransport(), Types: msgs.Definition})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx) }()
	response, err := http.Get(server.URL(guard.View))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Status, response.Header.Get("Content-Type"))
	fmt.Println(response.Body.Close())
	http.DefaultClient.CloseIdleConnections()
	cancel()
	fmt.Println(<-ended)
	// Output:
	// 200 OK text/html; charset=utf-8
	// <nil>
	// <nil>
}
