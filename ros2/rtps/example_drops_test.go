// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Most reasons to drop are normal on a shared network, some are due to slow readers or limits, and some to
// configurations or attacks. Drops.All yields all of them.
func ExampleDropReason() {
	normal := []rtps.DropReason{
		rtps.DropShort, rtps.DropNotOurs, rtps.DropLooped, rtps.DropUnknownParticipant, rtps.DropUnknownEndpoint,
		rtps.DropStaleCount, rtps.DropDuplicate, rtps.DropParticipantForeign,
	}
	slow := []rtps.DropReason{
		rtps.DropSampleSize, rtps.DropSampleWindow, rtps.DropSampleExpired, rtps.DropSampleQueue,
		rtps.DropFragmentSize, rtps.DropFragmentWindow, rtps.DropPartial, rtps.DropRequest,
	}
	configuration := []rtps.DropReason{
		rtps.DropParticipantUnanswered, rtps.DropParticipantUnreachable, rtps.DropLocator, rtps.DropReply,
	}
	fmt.Println("normal:", normal)
	fmt.Println("slow readers or limits:", slow)
	fmt.Println("configuration or attack:", configuration)
	fmt.Printf("%v: %s\n", rtps.DropDuplicate, rtps.DropDuplicate.Description())
	// Output:
	// normal: [short not_ours looped unknown_participant unknown_endpoint stale_count duplicate participant_foreign]
	// slow readers or limits: [sample_too_large sample_too_early sample_expired sample_queue fragment_too_large fragment_too_early partial request]
	// configuration or attack: [participant_unanswered participant_unreachable locator reply]
	// duplicate: samples and fragments received again
}

// Discovery events of a remote writer: its participant is found, then the writer; it changes or ends.
func ExampleParticipant_OnEndpoint() {
	network := vnet.New(vnet.Config{})
	laptop, err := rtps.NewParticipant(rtps.Config{Name: "laptop", Network: network.Host(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer laptop.Close()
	events := make(chan rtps.DiscoveryEvent, 100)
	laptop.OnEndpoint(func(e rtps.DiscoveryEvent) { events <- e })
	robot, err := rtps.NewParticipant(rtps.Config{Name: "robot", Network: network.Host(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer robot.Close()
	writer, err := robot.NewWriter(rtps.WriterConfig{Topic: "rt/chatter", Type: "std_msgs::msg::dds_::String_", QoS: wire.DefaultWriterQoS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e := range events {
		switch e.Kind {
		case rtps.ParticipantFound:
			fmt.Println(e.Kind)
		case rtps.EndpointFound, rtps.EndpointChanged:
			fmt.Println(e.Kind, e.Endpoint.Topic)
			if err := writer.Close(); err != nil {
				fmt.Println(err)
			}
		case rtps.EndpointGone:
			fmt.Println(e.Kind, e.Endpoint.Topic)
			return
		}
	}
	// Output:
	// participant found
	// endpoint found rt/chatter
	// endpoint gone rt/chatter
}

// Sentinels of configurations and writes.
func ExampleNewParticipant() {
	network := vnet.New(vnet.Config{})
	_, err := rtps.NewParticipant(rtps.Config{DomainID: 999, Network: network.Host(1)})
	fmt.Println(errors.Is(err, rtps.ErrConfig))
	robot, err := rtps.NewParticipant(rtps.Config{Name: "robot", Network: network.Host(1), Limits: rtps.Limits{LocalEndpoints: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer robot.Close()
	cfg := rtps.WriterConfig{Topic: "rt/a", Type: "T", QoS: wire.DefaultWriterQoS()}
	writer, err := robot.NewWriter(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = robot.NewWriter(cfg)
	fmt.Println(errors.Is(err, rtps.ErrLimit))
	err = writer.Write(make([]byte, 65<<20))
	fmt.Println(errors.Is(err, rtps.ErrTooLarge))
	// Output:
	// true
	// true
	// true
}
