// SPDX-License-Identifier: Apache-2.0

// Command load publishes 20 MB/s on 100 topics, for a while. Each message begins with its number.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

const (
	topics = 100
	rate   = 20     // of each topic, Hz
	size   = 10_000 // bytes of a message
)

func main() {
	seconds := flag.Int("seconds", 60, "how long")
	flag.Parse()
	if err := load(time.Duration(*seconds) * time.Second); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func load(d time.Duration) error {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return err
	}
	transport, err := rmw.New(cfg)
	if err != nil {
		return err
	}
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "load", Transport: transport})
	if err != nil {
		return err
	}
	defer node.Close()
	publishers := make([]*ros2.Publisher[std_msgs.UInt8MultiArray], topics)
	for i := range publishers {
		if publishers[i], err = ros2.NewPublisher[std_msgs.UInt8MultiArray](node, fmt.Sprintf("/load/t%d", i), ros2.DefaultQoS()); err != nil {
			return err
		}
	}
	message := &std_msgs.UInt8MultiArray{Data: make([]byte, size)}
	begun, sent := time.Now(), 0
	for time.Since(begun) < d {
		for due := int(time.Since(begun).Seconds() * rate * topics); sent < due; sent++ {
			binary.LittleEndian.PutUint32(message.Data, uint32(sent/topics))
			if err := publishers[sent%topics].Publish(message); err != nil {
				return err
			}
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(sent, "messages sent")
	return nil
}
