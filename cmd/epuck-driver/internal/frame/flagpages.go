// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
)

// helpWidth is the width of pages of help, columns.
const helpWidth = 80

// helpAll is the name of the page that has all others.
const helpAll = "all"

// FlagPages divide the flags of a command that has too many for one screen. Its --help shows the common ones and the
// names of the pages; --help=NAME and the sub-command help NAME show a page.
type FlagPages struct {
	Common   [][2]string // flags in the overview, with a few words for each
	Pages    []FlagPage
	Settings []FlagSetting
}

// FlagPage is a page of help about flags that belong together.
type FlagPage struct {
	Name, Title string
	Flags       []string
	Notes       string // paragraphs below the flags; may be empty
}

// FlagSetting is an option that has no flag of its own: --set KEY=VALUE. The flag that it had once still works: it is
// hidden, and its use prints the replacement.
type FlagSetting struct {
	Key, Flag, Page string
	// Former is the key's earlier name, which is accepted with a warning until the next release. It may be empty.
	Former string
	// World is set for keys that are fields of the world file, which the flag does not stand for.
	World bool
}

// help is the value of the flag --help: nothing, or the name of a page.
type help struct {
	FlagPages
	page  string
	given map[string]string // deprecated flags of the command line with their values
	used  []FlagSetting     // settings that were given by their former keys
}

// Paginate divides the flags of a command, which all exist, into pages. Flags that the pages name and this program does
// not have are left out.
func Paginate(cmd *cobra.Command, pages FlagPages) {
	h := &help{FlagPages: pages}
	cmd.Flags().VarPF(h, "help", "h", "the most important flags, or the page `NAME` of further ones").NoOptDefVal = "true"
	for _, s := range pages.Settings {
		if f := cmd.Flags().Lookup(s.Flag); f != nil {
			f.Hidden = true
		}
	}
	names := h.names()
	complete := cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc("help", complete) // fails for a flag that doesn't exist
	cmd.AddCommand(&cobra.Command{
		Use: "help [NAME]", Short: "Show a page of help about flags", ValidArgsFunction: complete,
		Args: cobra.MaximumNArgs(1), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := h.Set(args[0]); err != nil {
					return Usagef("%v", err)
				}
			}
			return h.write(cmd, c.OutOrStdout())
		},
	})
}

// pagesOf returns the pages of a command's help, nil if it has but one.
func pagesOf(cmd *cobra.Command) *help {
	if f := cmd.Flags().Lookup("help"); f != nil {
		h, _ := f.Value.(*help)
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

// hint proposes what a misspelled name may have meant, or says what there is.
func hint(name string, names []string) string {
	if near := suggest.DidYouMean(name, names); near != "" {
		return near
	}
	return "; there are " + strings.Join(names, ", ")
}

// names are those of the pages.
func (h *help) names() (names []string) {
	for _, p := range h.Pages {
		names = append(names, p.Name)
	}
	return append(names, helpAll)
}

// write writes the page that was asked for.
func (h *help) write(cmd *cobra.Command, w io.Writer) error {
	name := h.page
	if rest := cmd.Flags().Args(); name == "true" && len(rest) == 1 && slices.Contains(h.names(), rest[0]) {
		name = rest[0] // --help NAME
	}
	text := h.overview(cmd)
	if i := slices.IndexFunc(h.Pages, func(p FlagPage) bool { return p.Name == name }); i >= 0 {
		text = h.text(cmd, h.Pages[i])
	} else if name == helpAll {
		text = h.all(cmd)
	}
	_, err := io.WriteString(w, text)
	return err
}

// overview is the page that --help shows.
func (h *help) overview(cmd *cobra.Command) string {
	var b strings.Builder
	first, _, _ := strings.Cut(cmd.Long, "\n")
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s [flags] [%s …]\n", first, cmd.CommandPath(), ROSArgs)
	if below := NamesBelow(cmd); len(below) > 0 {
		fmt.Fprintf(&b, "  %s COMMAND\n", cmd.CommandPath())
	}
	examples := strings.SplitAfterN(cmd.Example, "\n", 4)
	b.WriteString("\nExamples:\n" + strings.TrimRight(strings.Join(examples[:min(3, len(examples))], ""), "\n") + "\n")
	b.WriteString("\nFlags:\n" + h.common(cmd))
	fmt.Fprintf(&b, "\nMore flags: %s --help=NAME\n", cmd.CommandPath())
	for _, p := range h.Pages {
		fmt.Fprintf(&b, "  %-12s %s\n", p.Name, p.Title)
	}
	fmt.Fprintf(&b, "  %-12s %s\n", helpAll, "all pages, examples, ROS arguments")
	if below := NamesBelow(cmd); len(below) > 0 {
		fmt.Fprintf(&b, "\nCommands: %s\n", strings.Join(below, ", "))
	}
	return b.String()
}

// text is a page with a title.
func (h *help) text(cmd *cobra.Command, p FlagPage) string {
	return fmt.Sprintf("%s: %s\n\n%s", cmd.CommandPath(), p.Title, h.body(cmd, p))
}

// body is what a page says below its title.
func (h *help) body(cmd *cobra.Command, p FlagPage) string {
	text := usages(cmd, p.Flags)
	if settings := h.settings(cmd, p.Name); settings != "" {
		text += "\nSettings, --set KEY=VALUE:\n" + settings
	}
	if p.Notes != "" {
		text += "\n" + strings.Join(wrap(p.Notes, helpWidth), "\n") + "\n"
	}
	return text
}

// common describes the flags of the overview.
func (h *help) common(cmd *cobra.Command) string {
	var all []entry
	for _, c := range h.Common {
		if f := cmd.Flags().Lookup(c[0]); f != nil {
			e := entryOf(f, "--"+f.Name)
			e.text = c[1]
			all = append(all, e)
		}
	}
	return columns(all)
}

// settings describes those of a page.
func (h *help) settings(cmd *cobra.Command, page string) string {
	var all []entry
	for _, s := range h.Settings {
		if f := cmd.Flags().Lookup(s.Flag); f != nil && s.Page == page && !s.World {
			all = append(all, entryOf(f, s.Key))
		}
	}
	return columns(all)
}

// all is every page after the other.
func (h *help) all(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %[2]s [flags] [%[3]s …]\n  %[2]s --help=NAME\n\nExamples:\n%[4]s\n", cmd.Long, cmd.CommandPath(), ROSArgs, cmd.Example)
	for _, p := range h.Pages {
		fmt.Fprintf(&b, "\n%s:\n%s", p.Title, h.body(cmd, p))
	}
	if below := Documented(cmd); len(below) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range below {
			fmt.Fprintf(&b, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
	return b.String()
}

// usages describes flags by their names, in that order.
func usages(cmd *cobra.Command, names []string) string {
	var all []entry
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil {
			all = append(all, entryOf(f, "--"+f.Name))
		}
	}
	return columns(all)
}

// entry is a line of a table of flags: a term, and what it means.
type entry struct{ term, text string }

// entryOf describes a flag under a name.
func entryOf(f *pflag.Flag, name string) entry {
	metavar, usage := pflag.UnquoteUsage(f)
	if metavar == "" && !strings.HasPrefix(name, "--") {
		metavar = "BOOL"
	}
	e := entry{term: strings.TrimSpace(name + " " + metavar), text: strings.ReplaceAll(usage, "\n", " ")}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		e.text += " (default " + f.DefValue + ")"
	}
	return e
}

// columns writes entries in two columns, the second one wrapped.
func columns(all []entry) string {
	const widest = 27
	width := 0
	for _, e := range all {
		if n := len(e.term); n <= widest {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, e := range all {
		lines := wrap(e.text, helpWidth-width-4)
		if len(e.term) > width {
			lines = append([]string{""}, lines...)
		}
		for i, line := range lines {
			term := ""
			if i == 0 {
				term = e.term
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, term, line), " ") + "\n")
		}
	}
	return b.String()
}

// wrap breaks a text into lines of at most so many characters.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// HasPages reports whether the help of a command has several pages.
func HasPages(cmd *cobra.Command) bool { return pagesOf(cmd) != nil }

// HelpText returns the whole help of a command, from its usage on.
func HelpText(cmd *cobra.Command) string {
	h := pagesOf(cmd)
	if h == nil {
		return cmd.UsageString()
	}
	all := h.all(cmd)
	return all[strings.Index(all, "Usage:"):]
}
