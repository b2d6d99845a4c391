// SPDX-License-Identifier: Apache-2.0

// Package weather_msgs holds the Go types of the interfaces in its folder msg.
package weather_msgs
