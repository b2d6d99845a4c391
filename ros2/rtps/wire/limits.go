// SPDX-License-Identifier: Apache-2.0

package wire

// Limits on what is accepted from the network. They bound what one datagram
// can make a receiver allocate; none of them is reached by a ROS 2 peer.
const (
	// MaxMessageSize is the largest UDP payload over IPv4, bytes.
	MaxMessageSize = 65507
	// MaxParameterListSize is the largest parameter list, bytes.
	MaxParameterListSize = 64 << 10
	// MaxStringSize is the longest string in a parameter, bytes without NUL.
	MaxStringSize = 1024
	// MaxUserDataSize is the largest USER_DATA, bytes.
	MaxUserDataSize = 4096
	// MaxLocators is how many locators are kept of each list; more are
	// ignored. Fast DDS keeps four.
	MaxLocators = 8
	// MaxProperties is how many properties are kept; more are ignored.
	MaxProperties = 16
	// MaxPartitions is the largest number of partition names.
	MaxPartitions = 16
	// MaxDataRepresentations is the largest number of data representations.
	MaxDataRepresentations = 8
	// MaxParameters is the largest number of parameters in one list.
	MaxParameters = 512
	// MaxLivelinessData is the largest ParticipantMessageData body, bytes.
	MaxLivelinessData = 128
)
