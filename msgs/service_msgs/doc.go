// SPDX-License-Identifier: Apache-2.0

// Package service_msgs holds the record of service introspection.
package service_msgs
