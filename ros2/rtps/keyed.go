// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// WriteInstance is Write for a keyed topic: key is the hash of the instance that the payload belongs to (DDSI-RTPS
// 9.6.4.8). A keep-last history keeps its depth of each instance. The error may also wrap ErrConfig, if the writer is
// not keyed.
func (w *Writer) WriteInstance(key wire.KeyHash, payload []byte) error {
	return w.writeKeyed(key, 0, wire.PayloadData, payload)
}

// EndInstance disposes or unregisters an instance, according to status. keyPayload is the serialized key with its
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
	return w.writeLocked(func(c *history.Change) {
		c.SetPayload(payload)
		c.Kind = kind
		c.SetInstance(key, status)
	}, len(payload))
}

// Acknowledged reports whether every matched reliable reader has acknowledged everything written.
func (w *Writer) Acknowledged() bool {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.ackedByAll() == w.hist.Next()-1
}

// kindOf chooses the entity kind of a topic without or with key.
func kindOf(keyed bool, without, with wire.EntityKind) wire.EntityKind {
	if keyed {
		return with
	}
	return without
}
