// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// listenerEnv makes the test binary a process that subscribes to every topic of the driver until its standard input
// ends: what it allocates doesn't count in the process under test.
const listenerEnv = "EPUCK_TEST_LISTENER"

func listen() error {
	transport, err := localTransport()
	if err != nil {
		return err
	}
	defer func() { _ = transport.Close() }()
	node := ros2.NodeName{Namespace: "/", Name: "listener"}
	if err := transport.AddNode(node); err != nil {
		return err
	}
	first := make(chan string, 64)
	for _, t := range table.Topics() {
		if t.Direction != table.Published {
			continue
		}
		for _, name := range t.Names() {
			if name[0] != '/' {
				name = "/" + name
			}
			heard := false // callbacks of one reader come one at a time
			_, err := transport.NewReader(ros2.ReaderConfig{
				EndpointConfig: ros2.EndpointConfig{Node: node, Topic: name, Type: t.Type, QoS: t.QoS},
				OnSample: func(ros2.Sample) {
					if !heard {
						heard = true
						first <- name
					}
				},
			})
			if err != nil {
				return err
			}
		}
	}
	go func() {
		for name := range first {
			fmt.Println(name)
		}
	}()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// startListener runs the listener during the test; the channel yields the topics of which it received a message.
func startListener(t testing.TB) <-chan string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), listenerEnv+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	heard := make(chan string, 64)
	go func() {
		defer close(heard)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			heard <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		_ = in.Close()
		for range heard {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("listener: %v", err)
		}
	})
	return heard
}

// localTransport joins the test's own domain on loopback, which the environment names.
func localTransport() (*rmw.Transport, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return rmw.New(cfg)
}
