// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// WriteInstance is Write for a keyed topic: key is the hash of the instance that the payload belongs to (DDSI-RTPS
// 9.6.4.8). A keep-last history keeps its depth of each instance. The error may also wrap ErrConfig, if the writer is
// not keyed.
func (w *Writer) WriteInstance(key wire.KeyHash, payload []byte) error {
	return w.writeKeyed(key, 0, wire.PayloadData, payload)
}

// EndInstance disposes of an instance or unregisters it, as status says. keyPayload is the serialized key with its
// encapsulation header. The errors are those of WriteInstance.
func (w *Writer) EndInstance(key wire.KeyHash, status wire.StatusInfo, keyPayload []byte) error {
	if !status.Gone() {
		return fmt.Errorf("%w: status %#x ends no instance", ErrConfig, uint32(status))
	}
	return w.writeKeyed(key, status, wire.PayloadKey, keyPayload)
}

// writeKeyed writes a change of an instance.
func (w *Writer) writeKeyed(key wire.KeyHash, status wire.StatusInfo, kind wire.PayloadKind, payload []byte) error {
	if !w.cfg.Keyed {
		return fmt.Errorf("%w: topic %q has no key", ErrConfig, w.cfg.Topic)
	}
	w.p.mu.Lock()
	defer w.p.unlock()
	return w.writeLocked(func(c *change) {
		c.setPayload(payload)
		c.kind = kind
		c.setInstance(key, status)
	}, len(payload))
}

// Acknowledged reports whether every matched reliable reader has all that was written.
func (w *Writer) Acknowledged() bool {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.ackedByAll() == w.hist.next-1
}

// kindOf chooses the entity kind of a topic without or with key.
func kindOf(keyed bool, without, with wire.EntityKind) wire.EntityKind {
	if keyed {
		return with
	}
	return without
}

// setInstance puts the instance and what became of it into the inline QoS.
func (c *change) setInstance(key wire.KeyHash, status wire.StatusInfo) {
	c.instance, c.status = key, status
	q := wire.InlineQoS{KeyHash: key, HasKeyHash: true, Status: status}
	c.inline = q.Append(c.inline[:0])
}

// instances lists, by rising number, the changes of each instance that a keep-last history holds. Guarded by
// Participant.mu.
type instances map[wire.KeyHash][]wire.SequenceNumber

// admit makes room for c, which is about to be pushed: of its instance there may be depth changes. It does nothing to
// nil.
func (m instances) admit(c *change, h *history, depth int) {
	if m == nil {
		return
	}
	if len(m) > h.limit {
		m.forget(h)
	}
	list := m[c.instance]
	for len(list) > 0 && (len(list) >= depth || list[0] < h.first) {
		h.remove(list[0])
		list = slices.Delete(list, 0, 1)
	}
	m[c.instance] = append(list, h.next)
}

// forget drops the instances of which the history holds nothing any more.
func (m instances) forget(h *history) {
	for key, list := range m {
		if list[len(list)-1] < h.first {
			delete(m, key)
		}
	}
}
