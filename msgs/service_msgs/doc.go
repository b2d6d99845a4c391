// SPDX-License-Identifier: Apache-2.0

// Package service_msgs has the message of service introspection.
package service_msgs
