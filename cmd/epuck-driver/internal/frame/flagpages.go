// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
)

// helpAll is the name of the page with all others.
const helpAll = "all"

// FlagPages divide the flags of a command with many of them by topic. Its --help shows the common ones, or the names
// of all if there are none, and the names of the pages; --help=NAME shows a page, and with common flags also the
// sub-command help NAME.
type FlagPages struct {
	Common   [][2]string // flags in the overview, with a few words for each
	Pages    []FlagPage
	Settings []FlagSetting
}

// FlagPage is a page of help about the flags of a topic.
type FlagPage struct {
	Name, Title string
	Flags       []string
	Notes       string // paragraphs below the flags; may be empty
}

// FlagSetting is an option without its own flag: --set KEY=VALUE. Its former flag still works: it is hidden, and its
// use prints the replacement.
type FlagSetting struct {
	Key, Flag, Page string
	// Former is the key's earlier name, which is accepted with a warning until the next release. It may be empty.
	Former string
	// World is set for keys that are fields of the world file, for which the flag is not an alias.
	World bool
}

// help is the value of the flag --help of a command: empty, or the name of a page.
type help struct {
	FlagPages
	cmd   *cobra.Command
	page  string
	given map[string]string // deprecated flags of the command line with their values
	used  []FlagSetting     // settings that were set by their former keys
}

// Paginate divides the flags of a command, which are all defined, into pages. Flags of the pages that this program does
// not have are left out.
func Paginate(cmd *cobra.Command, pages FlagPages) {
	h := addHelp(cmd, pages)
	for _, s := range pages.Settings {
		if f := cmd.Flags().Lookup(s.Flag); f != nil {
			f.Hidden = true
		}
	}
	if len(pages.Common) == 0 {
		return
	}
	cmd.AddCommand(&cobra.Command{
		Use: "help [NAME]", Short: "Show a page of help about flags", ValidArgsFunction: h.complete,
		Args: cobra.MaximumNArgs(1), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := h.Set(args[0]); err != nil {
					return Usagef("%v", err)
				}
			}
			return h.write(c.OutOrStdout())
		},
	})
}

// addHelp adds the flag --help with its pages to a command.
func addHelp(cmd *cobra.Command, pages FlagPages) *help {
	h := &help{FlagPages: pages, cmd: cmd}
	cmd.Flags().VarPF(h, "help", "h", "this page, or the page `NAME` of the help").NoOptDefVal = "true"
	_ = cmd.RegisterFlagCompletionFunc("help", h.complete) // fails for a flag that doesn't exist
	return h
}

// complete completes the names of pages.
func (h *help) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return h.names(), cobra.ShellCompDirectiveNoFileComp
}

// helpOf returns the help of a command, nil if cobra generates it.
func helpOf(cmd *cobra.Command) *help {
	if f := cmd.Flags().Lookup("help"); f != nil {
		h, _ := f.Value.(*help)
		return h
	}
	return nil
}

// pagesOf returns the help of a command whose flags are divided into pages, else nil.
func pagesOf(cmd *cobra.Command) *help {
	if h := helpOf(cmd); h != nil && len(h.Pages) > 0 {
		return h
	}
	return nil
}

// String implements pflag.Value; cobra reads it as a boolean.
func (h *help) String() string {
	if h == nil || h.page == "" {
		return "false"
	}
	return "true"
}

// Type implements pflag.Value.
func (h *help) Type() string { return "bool" }

// Set implements pflag.Value.
func (h *help) Set(name string) error {
	if name != "true" && !slices.Contains(h.names(), name) {
		return fmt.Errorf("no page %q%s", name, hint(name, h.names()))
	}
	h.page = name
	return nil
}

// hint returns a suggestion for a misspelled name, or the list of valid names.
func hint(name string, names []string) string {
	if near := suggest.DidYouMean(name, names); near != "" {
		return near
	}
	return "; there are " + strings.Join(names, ", ")
}

// settings describes the settings of a page.
func (h *help) settings(page string) string {
	var all []entry
	for _, s := range h.Settings {
		if f := h.cmd.Flags().Lookup(s.Flag); f != nil && s.Page == page && !s.World {
			all = append(all, entryOf(f, s.Key))
		}
	}
	return columns(all)
}

// usages describes flags by their names, in that order.
func usages(cmd *cobra.Command, names []string) string {
	var all []entry
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil {
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			all = append(all, entryOf(f, name))
		}
	}
	return columns(all)
}

// entryOf describes a flag under a name.
func entryOf(f *pflag.Flag, name string) entry {
	metavar, usage := pflag.UnquoteUsage(f)
	if metavar == "" && !strings.Contains(name, "--") {
		metavar = "BOOL"
	}
	e := entry{term: strings.TrimRight(name+" "+metavar, " "), text: strings.ReplaceAll(usage, "\n", " ")}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		e.text += " (default " + f.DefValue + ")"
	}
	return e
}

// HasPages reports whether the flags of a command are divided into pages.
func HasPages(cmd *cobra.Command) bool { return pagesOf(cmd) != nil }

// HelpText returns the complete help of a command from its usage on, without the ROS arguments.
func HelpText(cmd *cobra.Command) string {
	h := helpOf(cmd)
	if h == nil {
		return cmd.UsageString()
	}
	all := h.whole()
	return render(all[1 : len(all)-1])
}
