// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// many returns a group with a command of n flags and a description of so many sentences.
func many(n, sentences int) []Group {
	return []Group{{ID: "g", Title: "G:", Commands: []Maker{func(p *Program) *cobra.Command {
		cmd := &cobra.Command{
			Use: "do", Short: "Do", Long: strings.Repeat("Does one thing and then another one. ", sentences), Example: "  epuck-driver do\n  epuck-driver do --flag0 x",
			Args: NoArguments, RunE: func(*cobra.Command, []string) error { return nil },
		}
		for i := range n {
			cmd.Flags().String(fmt.Sprintf("flag%d", i), "", "what it is for; and more about it in some further words so that it needs a second line")
		}
		p.TakesROSArguments(cmd)
		return cmd
	}}}}
}

// TestOverviewTakesTheLongestFormThatFits: few flags are described in full, more in a line each, many by their names;
// what is left out is on pages.
func TestOverviewTakesTheLongestFormThatFits(t *testing.T) {
	for _, c := range []struct {
		flags, sentences int
		want, not        string
	}{
		{1, 1, "and more about it", "More:"},
		{4, 1, "and more about it", "--params-file"},
		{11, 1, "--flag10 string  what it is for\n", "and more about it"},
		{30, 1, "--flag0, --flag1,", "what it is for"},
		{30, 20, "\nMore: epuck-driver do --help=NAME; pages: flags, flags2, flags3, text, examples,\nros, all\n", "another one. Does"},
	} {
		status, out, problem := dispatch(many(c.flags, c.sentences), "do", "--help")
		if status != ExitOK || !strings.Contains(out, c.want) || strings.Contains(out, c.not) || strings.Count(out, "\n") > helpLines {
			t.Errorf("%d flags, %d sentences: status %d, %s\n%s", c.flags, c.sentences, status, problem, out)
		}
	}
}

// TestLettersOfFlagsAreShown: names are aligned, and a flag without a value has none.
func TestLettersOfFlagsAreShown(t *testing.T) {
	groups := []Group{{ID: "g", Title: "G:", Commands: []Maker{func(*Program) *cobra.Command {
		cmd := &cobra.Command{Use: "do", Short: "Do", Long: "Does it.", Example: "  epuck-driver do", RunE: func(*cobra.Command, []string) error { return nil }}
		cmd.Flags().BoolP("all", "a", false, "everything")
		cmd.Flags().Bool("bus", false, "the bus")
		return cmd
	}}}}
	const want = "\nFlags:\n  -a, --all        everything\n      --bus        the bus\n  -h, --help NAME  this page, or the page NAME of the help\n"
	if _, out, problem := dispatch(groups, "do", "--help"); !strings.Contains(out, want) {
		t.Errorf("%s%s", problem, out)
	}
}

// TestPagesHaveEachFlagOnce: on pages that fit, and a name that no page has is an error that lists the pages.
func TestPagesHaveEachFlagOnce(t *testing.T) {
	seen := ""
	for _, name := range []string{"flags", "flags2", "flags3"} {
		_, out, _ := dispatch(many(30, 1), "do", "--help="+name)
		if strings.Count(out, "\n") > helpLines {
			t.Errorf("%s:\n%s", name, out)
		}
		seen += out
	}
	for i := range 30 {
		if n := strings.Count(seen, fmt.Sprintf("--flag%d ", i)); n != 1 {
			t.Errorf("--flag%d is there %d times", i, n)
		}
	}
	if status, _, problem := dispatch(many(30, 1), "do", "--help=flag"); status != ExitUsage || !strings.Contains(problem, "did you mean 'flags'") {
		t.Errorf("status %d, %s", status, problem)
	}
}
