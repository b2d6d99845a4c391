// SPDX-License-Identifier: Apache-2.0

package network

import (
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// Notice writes for which endpoints of other nodes a command waits, and why they do not match, after a second and when
// the reason changes, until stop is called.
func Notice(t ros2.Transport, to io.Writer, peers ...waiting.Peer) (stop func()) {
	out := printable.NewWriter(to)
	return waiting.Notice(t, func(text string) { fmt.Fprintln(out, text) }, peers...)
}

// NoticeMissing is [Notice] only for peers that do not match; it writes nothing while all do.
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
