// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"encoding/binary"
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// emission is a packet of an emitter on the first channel without an end of its range.
func emission(text string) []byte { return sent(1, -1, text) }

func sent(channel int32, reach float64, text string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{wire.EmitterSend}, uint32(channel))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(reach))
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
}
