// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/internal/cmdvel"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// errNoRobot is matched if no robot subscribes to commands.
var errNoRobot = errors.New("no robot subscribes to cmd_vel")

// openPublisher waits for a robot and returns the publisher of its commands, with the message type that it subscribes
// to. After a second it writes to report what it waits for.
func openPublisher(ctx context.Context, n *ros2.Node, report io.Writer) (commandPublisher, error) {
	rosType, err := awaitCommandType(ctx, n, report)
	if err != nil {
		return nil, err
	}
	matched := make(chan struct{}, 1)
	onMatch := ros2.OnSubscribers(func(count int) {
		if count > 0 {
			select {
			case matched <- struct{}{}:
			default:
			}
		}
	})
	var pub commandPublisher
	if rosType == cmdvel.TwistStamped {
		p, failed := ros2.NewPublisher[geometry_msgs.TwistStamped](n, "cmd_vel", ros2.DefaultQoS(), onMatch)
		pub, err = stampedPublisher{n, p}, failed
	} else {
		p, failed := ros2.NewPublisher[geometry_msgs.Twist](n, "cmd_vel", ros2.DefaultQoS(), onMatch)
		pub, err = twistPublisher{p}, failed
	}
	if err != nil {
		return nil, err
	}
	peer, err := commandPeer(n, rosType)
	if err != nil {
		return nil, err
	}
	return pub, awaitPeer(ctx, n, report, peer, matched)
}

// commandPeer describes the robot's subscription to commands of a type.
func commandPeer(n *ros2.Node, rosType string) (waiting.Peer, error) {
	topic, err := n.ResolveName("cmd_vel")
	return waiting.Peer{Kind: ros2.SubscriptionEndpoint, Name: topic, Type: rosType, QoS: ros2.DefaultQoS(), Own: n.Name()}, err
}

// awaitCommandType waits for a robot and returns the type of the commands to which it subscribes: Twist if it
// subscribes to both.
func awaitCommandType(ctx context.Context, n *ros2.Node, report io.Writer) (string, error) {
	peer, err := commandPeer(n, cmdvel.Twist)
	if err != nil {
		return "", err
	}
	if err := ros2.MayPublish(n.Transport(), peer.Name); err != nil {
		return "", err
	}
	changed := make(chan struct{}, 1)
	cancel := n.Transport().OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer cancel()
	stop := network.Notice(n.Transport(), report, peer)
	defer stop()
	timeout := time.NewTimer(robotWait)
	defer timeout.Stop()
	for {
		if rosType := cmdvel.Type(ros2.SubscribedTypes(n.Transport(), peer.Name)); rosType != "" {
			return rosType, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", ctx.Err()
		case <-n.Done():
			return "", n.Err()
		case <-timeout.C:
			return "", fmt.Errorf("%w: %s", errNoRobot, explain(n, peer))
		}
	}
}

// explain returns the reason why no robot was found.
func explain(n *ros2.Node, peer waiting.Peer) string {
	return waiting.Text(n.Graph(), peer) + ": is the robot running, in the same network, ROS_DOMAIN_ID and namespace?"
}

// awaitPeer waits until found has a token, at most robotWait.
func awaitPeer(ctx context.Context, n *ros2.Node, report io.Writer, peer waiting.Peer, found <-chan struct{}) error {
	stop := network.Notice(n.Transport(), report, peer)
	defer stop()
	timeout := time.NewTimer(robotWait)
	defer timeout.Stop()
	select {
	case <-found:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.Done():
		return n.Err()
	case <-timeout.C:
		return fmt.Errorf("%w: %s", errNoRobot, explain(n, peer))
	}
}
