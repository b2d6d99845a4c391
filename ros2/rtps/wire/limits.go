// SPDX-License-Identifier: Apache-2.0

package wire

// Limits of received data. They bound the memory that one datagram can make a receiver allocate; no ROS 2 peer reaches
// them.
const (
	// MaxMessageSize is the largest UDP payload over IPv4, bytes.
	MaxMessageSize = 65507
	// MaxParameterListSize is the largest parameter list, bytes.
	MaxParameterListSize = 64 << 10
	// MaxStringSize is the longest string in a parameter, bytes without NUL.
	MaxStringSize = 1024
	// maxUserDataSize is the largest USER_DATA, bytes.
	maxUserDataSize = 4096
	// maxLocators is the number of locators kept of each list; further ones are ignored. Fast DDS keeps four.
	maxLocators = 8
	// maxProperties is the number of properties kept; further ones are ignored.
	maxProperties = 16
	// maxPartitions is the largest number of partition names.
	maxPartitions = 16
	// maxDataRepresentations is the largest number of data representations.
	maxDataRepresentations = 8
	// maxParameters is the largest number of parameters in one list.
	maxParameters = 512
	// maxLivelinessData is the largest ParticipantMessageData body, bytes.
	maxLivelinessData = 128
)
