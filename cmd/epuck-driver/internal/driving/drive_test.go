// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

func TestParseDrive(t *testing.T) {
	for _, c := range []struct {
		args string
		want drivePlan
		bad  string
	}{
		{"0.1 0.5", drivePlan{0.1, 0.5, 2 * time.Second}, ""},
		{"-0.1 -.5 --for 3s", drivePlan{-0.1, -0.5, 3 * time.Second}, ""},
		{"--for=500ms 1 2", drivePlan{1, 2, 500 * time.Millisecond}, ""},
		{"-for 1m 0 -1", drivePlan{0, -1, time.Minute}, ""},
		{"", drivePlan{}, "two speeds"}, {"1 2 3", drivePlan{}, "two speeds"}, {"fast 1", drivePlan{}, `"fast"`},
		{"NaN 0", drivePlan{}, `"NaN"`}, {"0 Inf", drivePlan{}, `"Inf"`}, {"0 0 --for", drivePlan{}, "needs an argument"},
		{"0 0 --for -1s", drivePlan{}, "above zero"}, {"0 0 --for soon", drivePlan{}, `"soon"`},
	} {
		var got drivePlan
		err := parseWith(t, &got, c.args)
		if c.bad == "" && (err != nil || got != c.want) {
			t.Errorf("%q: %+v, %v; want %+v", c.args, got, err, c.want)
		}
		if c.bad != "" && (err == nil || !strings.Contains(err.Error(), c.bad)) {
			t.Errorf("%q: error %v, want one with %q", c.args, err, c.bad)
		}
	}
}

// parseWith reads the arguments of drive.
func parseWith(t *testing.T, plan *drivePlan, args string) error {
	t.Helper()
	root, cmd := &cobra.Command{Use: "epuck-driver"}, &cobra.Command{Use: "drive", Args: plan.arguments}
	cmd.RunE = func(*cobra.Command, []string) error { return nil }
	root.SilenceErrors, root.SilenceUsage = true, true
	plan.flags(cmd.Flags())
	root.AddCommand(cmd)
	root.SetArgs(shell.Normalize(root, append([]string{"drive"}, strings.Fields(args)...)))
	return root.Execute()
}
