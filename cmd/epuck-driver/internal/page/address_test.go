// SPDX-License-Identifier: Apache-2.0

package page

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/web"
)

// TestAddressOfThePage: as an argument or by --web, as in the other commands.
func TestAddressOfThePage(t *testing.T) {
	for line, want := range map[string]string{
		"": web.DefaultAddress, "localhost:8765": "localhost:8765", "8080": "localhost:8080", ":8080": ":8080", "[::1]:80": "[::1]:80",
		"--web 0.0.0.0:1": "0.0.0.0:1", "--web=0.0.0.0:1": "0.0.0.0:1", "--address 0.0.0.0:1": "0.0.0.0:1",
		"localhost": "!no address", "localhost:": "!no address", "a:1 b:2": "!want one address", "a:1 --web b:2": "!given twice",
	} {
		o := &Site{}
		cmd := &cobra.Command{}
		o.commandFlags(cmd.Flags())
		err := cmd.ParseFlags(strings.Fields(line))
		if err == nil {
			err = o.argument(cmd, cmd.Flags().Args())
		}
		text, wrong := strings.CutPrefix(want, "!")
		if wrong && (err == nil || !strings.Contains(err.Error(), text)) || !wrong && (err != nil || o.address != want) {
			t.Errorf("web %s: %q, %v; want %q", line, o.address, err, want)
		}
	}
	if NewCommand(&frame.Program{}).Flags().Lookup("web") == nil {
		t.Error("the command has no --web")
	}
}
