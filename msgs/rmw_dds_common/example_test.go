// SPDX-License-Identifier: Apache-2.0

package rmw_dds_common_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common/iron"
)

// The same ROS type has two layouts; a sender needs both.
func ExampleParticipantEntitiesInfo() {
	guid := [16]byte{0: 1, 15: 0xc1}
	var humble rmw_dds_common.ParticipantEntitiesInfo
	copy(humble.Gid.Data[:], guid[:])
	later := iron.ParticipantEntitiesInfo{Gid: iron.Gid{Data: guid}}
	fmt.Println(humble.ROSType() == later.ROSType(), humble.TypeHash() == later.TypeHash())
	fmt.Println(len(cdr.Append(nil, &humble)), len(cdr.Append(nil, &later)), "bytes")
	// Output:
	// true false
	// 32 24 bytes
}
