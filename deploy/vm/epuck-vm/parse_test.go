// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bytes"
	"errors"
	"flag"
	"maps"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string
		want options
	}{
		{"uname -a", options{root: ".", command: "uname -a"}},
		{"-console -net true", options{root: ".", command: "true", console: true, network: true}},
		{"-root /src ls", options{root: "/src", command: "ls"}},
		{"-- -x", options{root: ".", command: "-x"}},
	} {
		got, err := parse(strings.Fields(c.args), &bytes.Buffer{})
		got.cfg = c.want.cfg
		if err != nil || got.root != c.want.root || got.command != c.want.command || got.console != c.want.console ||
			got.network != c.want.network {
			t.Errorf("%q: %+v, %v; want %+v", c.args, got, err, c.want)
		}
	}
}

func TestParseFiles(t *testing.T) {
	o, err := parse([]string{"-file", "a=/x", "-file", "b=c=d", "ls"}, &bytes.Buffer{})
	if want := map[string]string{"a": "/x", "b": "c=d"}; err != nil || !maps.Equal(o.cfg.Payload, want) {
		t.Errorf("%v, %v", o.cfg.Payload, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, args := range []string{"", "-console", "-file a ls", "-file =x ls", "-file a= ls", "-none ls"} {
		if o, err := parse(strings.Fields(args), &bytes.Buffer{}); err == nil {
			t.Errorf("%q: %+v", args, o)
		}
	}
	var printed bytes.Buffer
	if _, err := parse([]string{"-h"}, &printed); !errors.Is(err, flag.ErrHelp) || !strings.Contains(printed.String(), "NAME=FILE") {
		t.Errorf("%v, %q", err, printed.String())
	}
}
