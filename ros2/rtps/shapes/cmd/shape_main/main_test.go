// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

func TestRun(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--help", exitOK, "usage: shape_main"},
		{"-P", exitArguments, "-t"},
		{"-P -t Square --coherent", exitArguments, "not supported"},
		{"-P -t Square --nonsense", exitArguments, "--nonsense"},
	} {
		var out, log bytes.Buffer
		if code := run(ctx, strings.Fields(c.args), &out, &log); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: code %d, output %q", c.args, code, out.String())
		}
		if log.Len() > 0 {
			t.Errorf("%s: logs %q", c.args, log.String())
		}
	}
}
