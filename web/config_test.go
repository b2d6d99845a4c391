// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"net"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestAddressMayLackItsPort(t *testing.T) {
	for address, want := range map[string]string{
		"": "localhost:8765", "0.0.0.0": "0.0.0.0:8765", "0.0.0.0:80": "0.0.0.0:80", "localhost": "localhost:8765", "robot.local": "robot.local:8765",
		"::": "[::]:8765", "[::]": "[::]:8765", "::1": "[::1]:8765", "[::1]:80": "[::1]:80", ":80": ":80",
		"8765": "", "a:b:c": "", "a b": "", "a/b": "",
	} {
		c := Config{Address: address, Transport: ros2test.NewTransport(), Types: msgs.Definition, TokenFile: "tokens"}
		err := c.complete()
		if (err != nil) != (want == "") || err != nil && !errors.Is(err, errConfig) || err == nil && c.Address != want {
			t.Errorf("%q: %q, %v; want %q", address, c.Address, err, want)
		}
		if local := Local(address); local != (address == "" || address == "localhost" || address == "::1" || address == "[::1]:80") {
			t.Errorf("%q: local %v", address, local)
		}
	}
}

// TestIPv4WildcardListensOnIPv4Only: package net would listen on [::] for it.
func TestIPv4WildcardListensOnIPv4Only(t *testing.T) {
	if l, err := net.Listen("tcp6", "[::1]:0"); err != nil {
		t.Skip("no IPv6 here: ", err)
	} else if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for address, six := range map[string]bool{"0.0.0.0:0": false, "[::]:0": true} {
		r := newRig(t, true, func(c *Config) { c.Address = address })
		_, port, err := net.SplitHostPort(r.base)
		r.must(err)
		c, err := net.Dial("tcp4", "127.0.0.1:"+port)
		r.must(err)
		r.must(c.Close())
		if c, err = net.Dial("tcp6", "[::1]:"+port); (err == nil) != six {
			t.Errorf("%s answers on IPv6: %v", address, err == nil)
		}
		if err == nil {
			r.must(c.Close())
		}
	}
}
