// SPDX-License-Identifier: Apache-2.0

package network

import (
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// Notice writes the endpoints of other nodes that a command waits for, and the reasons why they don't match, after a
// second and whenever a reason changes, until stop is called.
func Notice(t ros2.Transport, to io.Writer, peers ...waiting.Peer) (stop func()) {
	out := printable.NewWriter(to)
	return waiting.Notice(t, func(text string) { fmt.Fprintln(out, text) }, peers...)
}

// NoticeMissing is like [Notice], but writes nothing while all peers match.
func NoticeMissing(t ros2.Transport, to io.Writer, peers ...waiting.Peer) (stop func()) {
	out := printable.NewWriter(to)
	return waiting.Notice(t, func(text string) {
		g := t.Graph()
		for _, p := range peers {
			if p.Missing(g) != "" {
				fmt.Fprintln(out, text)
				return
			}
		}
	}, peers...)
}
