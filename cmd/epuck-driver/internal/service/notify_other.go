// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package service

// NotifySystemd does nothing: there is no systemd.
func NotifySystemd(string) error { return nil }
