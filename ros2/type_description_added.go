// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// DescribeType makes the node's ~/get_type_description answer with a type that none of its endpoints has as a Go type:
// that of a topic whose messages a program only passes on, such as a player of recordings.
func (n *Node) DescribeType(t *dynamic.Type) {
	hash := strings.ToLower(t.Hash())
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.described == nil {
		n.described = map[string]*dynamic.Type{}
	}
	n.described[hash] = t
}

// describedType returns a type of [Node.DescribeType], nil if there is none with the hash.
func (n *Node) describedType(hash string) *dynamic.Type {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.described[strings.ToLower(hash)]
}
