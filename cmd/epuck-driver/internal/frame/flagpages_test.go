// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// paged returns a group with a command whose flags are on two pages; got is what it sees of its settings.
func paged(got *[]string, allow *[]string, limit *time.Duration) []Group {
	return []Group{{ID: "g", Title: "G:", Commands: []Maker{func(*Program) *cobra.Command {
		var set []string
		cmd := &cobra.Command{Use: "do", Short: "Do", Long: "Does it.\n\nMore.", Example: "  epuck-driver do\n  epuck-driver do 2\n  epuck-driver do 3\n  epuck-driver do 4"}
		f := cmd.Flags()
		f.StringArrayVar(&set, "set", nil, "`KEY=VALUE`")
		f.Bool("fast", false, "do it fast")
		f.StringSliceVar(allow, "server-allow", nil, "authorised `NETWORKS`")
		f.DurationVar(limit, "limit", 5*time.Second, "how long")
		f.String("imu", "", "`MODEL`")
		cmd.Args = func(cmd *cobra.Command, _ []string) (err error) {
			*got, err = ApplySettings(cmd, set)
			return err
		}
		cmd.RunE = func(*cobra.Command, []string) error { return nil }
		Paginate(cmd, FlagPages{
			Common:   [][2]string{{"fast", "quickly"}},
			Pages:    []FlagPage{{Name: "one", Title: "first things", Flags: []string{"fast", "set", "gone"}, Notes: "Note."}, {Name: "two", Title: "second things"}},
			Settings: []FlagSetting{{Key: "server.allow", Flag: "server-allow", Page: "two"}, {Key: "server.limit", Flag: "limit", Page: "two", Former: "server.most"}, {Key: "robots[*].imu", Flag: "imu", World: true}},
		})
		return cmd
	}}}}
}

func dispatch(groups []Group, args ...string) (status int, out, problem string) {
	var o, e bytes.Buffer
	status = Dispatch(context.Background(), Streams{Out: &o, Err: &e}, args, groups)
	return status, o.String(), e.String()
}

// TestHelpHasPages: --help shows the common flags and the names of the pages, --help=NAME and help NAME show a page.
func TestHelpHasPages(t *testing.T) {
	groups := paged(new([]string), new([]string), new(time.Duration))
	for _, c := range []struct{ args, want, not string }{
		{"--help", "  --fast  quickly", "server"},
		{"-h", "\nMore: epuck-driver do --help=NAME; pages: one, two, text, examples, all\n", "epuck-driver do 4"},
		{"--help=one", "epuck-driver do: first things\n\n  --fast           do it fast\n  --set KEY=VALUE  KEY=VALUE\n\nNote.\n", "server"},
		{"--help two", "Settings, --set KEY=VALUE:\n  server.allow NETWORKS  authorised NETWORKS\n  server.limit duration  how long (default 5s)\n", "--fast"},
		{"help two", "epuck-driver do: second things", "--fast"},
		{"help", "\nUsage:\n  epuck-driver do [flags]\n", "server"},
		{"--help=examples", "epuck-driver do: examples\n\n  epuck-driver do\n  epuck-driver do 2\n  epuck-driver do 3\n  epuck-driver do 4\n", "fast"},
		{"--help=all", "epuck-driver do 4\n\nFirst things:\n", "imu"},
	} {
		status, out, problem := dispatch(groups, append([]string{"do"}, strings.Fields(c.args)...)...)
		if status != ExitOK || !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
			t.Errorf("%s: status %d, %s\n%s", c.args, status, problem, out)
		}
	}
	for _, args := range [][]string{{"do", "--help=tow"}, {"do", "help", "tow"}} {
		if status, _, problem := dispatch(groups, args...); status != ExitUsage || !strings.Contains(problem, "did you mean 'two'?") {
			t.Errorf("%q: status %d, %s", args, status, problem)
		}
	}
}

// TestSettingsSetOptions: --set gives an option its value, and other keys are returned; the flag that an option had
// works, and prints its replacement.
func TestSettingsSetOptions(t *testing.T) {
	for _, c := range []struct {
		args   []string
		others string
		allow  string
		limit  time.Duration
		err    string
	}{
		{[]string{"--set", "server.limit=2s", "--set", "a[0].b=1", "--set", "server.allow=10.0.0.1"}, "a[0].b=1", "10.0.0.1", 2 * time.Second, ""},
		{[]string{"--set", "server.most=4s"}, "", "", 4 * time.Second, "--set server.most is deprecated and goes with the next release: use --set server.limit\n"},
		{[]string{"--limit", "3s"}, "", "", 3 * time.Second, "--limit is deprecated and goes with the next release: use --set 'server.limit=3s'\n"},
		{[]string{"--server-allow", "a,b"}, "", "a,b", 5 * time.Second, "use --set 'server.allow=a,b'\n"},
		{[]string{"--imu", "none"}, "", "", 5 * time.Second, "use --set 'robots[*].imu=none'\n"},
		{[]string{"--set", "robots[*].imu=none"}, "robots[*].imu=none", "", 5 * time.Second, ""},
		{[]string{"--set", "x=1", "--set", "server.limt=2s"}, "", "", 5 * time.Second, "--set:2:1: server.limt: there is no such setting; did you mean 'server.limit'?"},
		{[]string{"--set", "server.limit=2"}, "", "", 0, `--set:1:1: server.limit: "2": `},
	} {
		var others, allow []string
		var limit time.Duration
		_, _, problem := dispatch(paged(&others, &allow, &limit), append([]string{"do"}, c.args...)...)
		if strings.Join(others, " ") != c.others || strings.Join(allow, ",") != c.allow || limit != c.limit ||
			!strings.Contains(problem, c.err) || c.err == "" && problem != "" {
			t.Errorf("%q: %q, %q, %v, %s", c.args, others, allow, limit, problem)
		}
	}
}
