// SPDX-License-Identifier: Apache-2.0

package history

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// SetInstance adds the instance and its state change to the inline QoS.
func (c *Change) SetInstance(key wire.KeyHash, status wire.StatusInfo) {
	e := c.addExtra()
	e.instance, e.status = key, status
	q := wire.InlineQoS{KeyHash: key, HasKeyHash: true, Status: status}
	c.Inline = q.Append(c.Inline[:0])
}

// instances lists, by rising number, the changes of each instance that a keep-last history holds.
type instances map[wire.KeyHash][]wire.SequenceNumber

// admit removes changes of c's instance, which is about to be pushed, so that at most depth remain with it. It does
// nothing if m is nil.
func (m instances) admit(c *Change, h *History, depth int) {
	if m == nil {
		return
	}
	if len(m) > h.Limit() {
		m.forget(h)
	}
	list := m[c.Instance()]
	for len(list) > 0 && (len(list) >= depth || list[0] < h.first) {
		h.Remove(list[0])
		list = slices.Delete(list, 0, 1)
	}
	m[c.Instance()] = append(list, h.next)
}

// forget deletes the instances without a change in the history.
func (m instances) forget(h *History) {
	for key, list := range m {
		if list[len(list)-1] < h.first {
			delete(m, key)
		}
	}
}
