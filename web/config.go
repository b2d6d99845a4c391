// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

// Playback is a recording that viewers can pause, seek in and play at another speed.
type Playback = foxglove.Playback

// PlaybackState is the state of a recording, PlaybackCommand a viewer's command for it.
type (
	PlaybackState   = foxglove.PlaybackState
	PlaybackCommand = foxglove.PlaybackCommand
)

// Feed has channels for viewers that are not topics of ROS, FeedChannel is one of them and ChannelInfo its description.
type (
	Feed        = foxglove.Feed
	FeedChannel = foxglove.FeedChannel
	ChannelInfo = foxglove.ChannelInfo
)

// NewFeed returns a feed without channels.
func NewFeed() *Feed { return foxglove.NewFeed() }

const (
	// defaultPort is the default port of Foxglove.
	defaultPort = "8765"
	// DefaultAddress is the default listening address: on this machine only.
	DefaultAddress = "localhost:" + defaultPort
)

// errConfig is matched when a field of [Config] is missing or impossible.
var errConfig = errors.New("web: bad configuration")

// Config describes a [Server].
type Config struct {
	// Address is host:port; a host alone gets defaultPort. It defaults to [DefaultAddress]; with port 0 the system
	// chooses. IPv4 addresses, 0.0.0.0 too, listen on IPv4 only; [::] on both. On an address that other machines can
	// reach, tokens are required.
	Address string
	// Transport is the network, Types resolves message types. Both are required; the server closes neither.
	Transport ros2.Transport
	Types     dynamic.Lookup
	// Node is the server's name in the graph. It defaults to "/_epuck_web", which is hidden in lists of nodes.
	Node ros2.NodeName
	// TokenFile has the tokens, and is created if missing. It is required on an address that other machines can
	// reach; on a local address it enables tokens.
	TokenFile string
	// CertificateFile is a PEM file with a certificate and its key; a self-signed one is created if missing. It
	// defaults to none: no TLS.
	CertificateFile string
	// Hosts are further names of this machine, Origins are sites whose pages may connect without a token.
	Hosts, Origins []string
	// Distro is the name of the ROS distribution sent to viewers.
	Distro string
	// Domain is the network's ROS domain, which viewers show people who look for a robot.
	Domain string
	// Asset returns the content of a URI in a robot's description; nil serves none.
	Asset func(uri string) ([]byte, error)
	// Live answers an offer (SDP) of a live video connection, which ends with ctx; nil disables it. LiveRobot is the
	// namespace of the robot that it shows. It defaults to "/".
	Live      func(ctx context.Context, offer string) (answer string, err error)
	LiveRobot string
	// Playback is the recording that is being played, for viewers with playback controls. It defaults to none.
	Playback Playback
	// Feed has channels for Foxglove that are not topics of ROS. It defaults to none.
	Feed *Feed
	// DriveTimeout is how long a robot keeps driving after its driver's last packet. It defaults to 300 ms.
	DriveTimeout time.Duration
	// Logger receives the server's log lines; they contain no tokens. It defaults to none.
	Logger *slog.Logger

	headTime time.Duration // for the head of a request; tests shorten it
}

// complete sets the defaults and validates the rest.
func (c *Config) complete() error {
	if c.Transport == nil || c.Types == nil {
		return fmt.Errorf("%w: Transport and Types are required", errConfig)
	}
	if c.Address == "" {
		c.Address = DefaultAddress
	}
	if c.Node.Name == "" {
		c.Node = ros2.NodeName{Namespace: "/", Name: "_epuck_web"}
	}
	if c.LiveRobot == "" {
		c.LiveRobot = "/"
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	host, port, err := splitAddress(c.Address)
	if err != nil {
		return fmt.Errorf("%w: address %q: %w", errConfig, c.Address, err)
	}
	c.Address = net.JoinHostPort(host, port)
	if !loopback(host) && c.TokenFile == "" {
		return fmt.Errorf("%w: other machines reach %s: a file for tokens is required", errConfig, c.Address)
	}
	return nil
}

// Local reports whether only this machine can reach a listening address, so that no token is needed.
func Local(address string) bool {
	if address == "" {
		return true
	}
	host, _, err := splitAddress(address)
	return err == nil && loopback(host)
}

// splitAddress splits host:port; the port may be missing.
func splitAddress(address string) (host, port string, err error) {
	if host, port, err = net.SplitHostPort(address); err == nil {
		return host, port, nil
	}
	if _, number := strconv.Atoi(address); number == nil {
		return "", "", fmt.Errorf("want host:port; all interfaces are 0.0.0.0:%s", address)
	}
	if ip, bad := netip.ParseAddr(strings.Trim(address, "[]")); bad == nil {
		return ip.String(), defaultPort, nil
	}
	if strings.ContainsAny(address, ":[]/ ") {
		return "", "", fmt.Errorf("want host or host:port: %w", err)
	}
	return address, defaultPort, nil
}

// networkOf returns the network to listen on for an address: package net would take 0.0.0.0 for [::].
func networkOf(address string) string {
	host, _, _ := net.SplitHostPort(address)
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return "tcp4"
	}
	return "tcp"
}

// loopback reports whether a host to listen on is a loopback address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
