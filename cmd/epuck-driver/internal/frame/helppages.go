// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Names of the pages of commands whose help does not fit one page.
const (
	helpDescription = "text"
	helpExamples    = "examples"
	helpCommands    = "commands"
	helpFlags       = "flags" // and flags2, flags3 …
	helpROS         = "ros"
)

// addHelps adds the flag --help, with pages that fit a screen, to cmd and all its sub-commands.
func addHelps(cmd *cobra.Command) {
	if helpOf(cmd) == nil && !cmd.DisableFlagParsing {
		addHelp(cmd, FlagPages{})
	}
	for _, c := range cmd.Commands() {
		addHelps(c)
	}
}

// write writes the requested page.
func (h *help) write(w io.Writer) error {
	name := h.page
	if rest := h.cmd.Flags().Args(); name == "true" && len(rest) == 1 && slices.Contains(h.names(), rest[0]) {
		name = rest[0] // --help NAME
	}
	_, err := io.WriteString(w, h.text(name))
	return err
}

// text returns a page; without a name the overview.
func (h *help) text(name string) string {
	if name == helpAll {
		return render(h.whole())
	}
	for _, p := range h.pages() {
		if p.name == name {
			return fmt.Sprintf("%s: %s\n\n%s", h.cmd.CommandPath(), p.title, p.body)
		}
	}
	return h.overview()
}

// helpPage is a page with a name.
type helpPage struct{ name, title, body string }

// pages returns all named pages except the complete help.
func (h *help) pages() (all []helpPage) {
	add := func(name, title string, lines []string) {
		if len(lines) > 0 {
			all = append(all, helpPage{name, title, strings.Join(lines, "\n") + "\n"})
		}
	}
	for _, p := range h.Pages {
		all = append(all, helpPage{p.Name, p.Title, h.body(p)})
	}
	if flags := entriesOf(h.cmd); len(h.Pages) == 0 && len(flags) > 1 { // more than --help
		for i, lines := range chunks(flags) {
			name := helpFlags
			if i > 0 {
				name += strconv.Itoa(i + 1)
			}
			add(name, "flags", lines)
		}
	}
	if below := Documented(h.cmd); len(h.Pages) > 0 && len(below) > 0 {
		add(helpCommands, "commands", linesOf(columns(commandEntries(below))))
	}
	add(helpDescription, "description", paragraphs(h.cmd.Long))
	add(helpExamples, "examples", examplesOf(h.cmd))
	add(helpROS, "ROS arguments, behind "+ROSArgs+"; -- ends them", rosLines(h.cmd))
	return all
}

// names returns the names of the pages.
func (h *help) names() (names []string) {
	for _, p := range h.pages() {
		names = append(names, p.name)
	}
	return append(names, helpAll)
}

// body returns the content of a page of flags below its title.
func (h *help) body(p FlagPage) string {
	text := usages(h.cmd, p.Flags)
	if settings := h.settings(p.Name); settings != "" {
		if text != "" {
			text += "\n"
		}
		text += "Settings, --set KEY=VALUE:\n" + settings
	}
	if p.Notes != "" {
		text += "\n" + strings.Join(wrap(p.Notes, helpWidth), "\n") + "\n"
	}
	return text
}

// form determines how much of a command's help its overview has.
type form struct {
	description int // 0: all of it, 1: the first paragraph, 2: the first sentence
	examples    int // maximum number
	flags       flagForm
	ros         bool // also the ROS arguments, so that there are no further pages
}

// flagForm is how an overview describes flags.
type flagForm int

const (
	wholeFlags   flagForm = iota // in full
	shortFlags                   // one line each
	namesOfFlags                 // only their names
)

// forms returns the forms of an overview, longest first.
func forms() []form {
	list := []form{{0, 99, wholeFlags, true}, {0, 99, wholeFlags, false}, {0, 3, wholeFlags, false}, {1, 3, wholeFlags, false}, {2, 2, wholeFlags, false}}
	for _, flags := range []flagForm{shortFlags, namesOfFlags} {
		list = append(list, form{0, 3, flags, false}, form{1, 3, flags, false}, form{2, 3, flags, false}, form{2, 2, flags, false}, form{2, 1, flags, false})
	}
	return list
}

// overview returns the page that --help shows: the longest form that fits.
func (h *help) overview() (text string) {
	limit := helpLines
	if !h.cmd.HasParent() {
		limit = rootLines
	}
	for _, f := range forms() {
		if len(h.Common) > 0 && f.flags != shortFlags {
			continue
		}
		if text = render(h.parts(f)); strings.Count(text, "\n") <= limit {
			break
		}
	}
	return text
}

// whole returns the complete help.
func (h *help) whole() []section {
	list := []section{{"", paragraphs(h.cmd.Long)}, {"Usage", usageOf(h.cmd)}, {"Examples", examplesOf(h.cmd)}}
	list = append(list, commandsOf(h.cmd)...)
	if len(h.Pages) == 0 {
		return append(list, section{"Flags", linesOf(columns(entriesOf(h.cmd)))}, rosSection(h.cmd))
	}
	list[1].lines = append(list[1].lines, "  "+h.cmd.CommandPath()+" --help=NAME")
	for _, p := range h.Pages {
		list = append(list, section{strings.ToUpper(p.Title[:1]) + p.Title[1:], linesOf(h.body(p))})
	}
	return append(list, rosSection(h.cmd))
}

// parts returns an overview in a form.
func (h *help) parts(f form) []section {
	description := paragraphs(h.cmd.Long)
	switch {
	case f.description == 2:
		description = wrap(firstSentence(h.cmd.Long), helpWidth)
	case f.description == 1:
		if end := slices.Index(description, ""); end >= 0 {
			description = description[:end]
		}
	}
	list := []section{{"", description}, {"Usage", usageOf(h.cmd)}, {"Examples", someExamples(h.cmd, f.examples)}}
	if len(h.Common) == 0 {
		list = append(list, commandsOf(h.cmd)...)
	}
	if !h.cmd.HasParent() { // its only flag is --help
		return list
	}
	list = append(list, section{"Flags", h.flagsIn(f.flags)})
	if f.ros {
		return append(list, rosSection(h.cmd))
	}
	more := wrap(fmt.Sprintf("More: %s --help=NAME; pages: %s", h.cmd.CommandPath(), strings.Join(h.names(), ", ")), helpWidth)
	if below := NamesBelow(h.cmd); len(h.Common) > 0 && len(below) > 0 {
		more = append(more, wrap("Commands: "+strings.Join(below, ", "), helpWidth)...)
	}
	return append(list, section{"", more})
}

// flagsIn describes the flags of the overview.
func (h *help) flagsIn(f flagForm) []string {
	if len(h.Common) > 0 {
		return linesOf(h.common())
	}
	all := slices.DeleteFunc(entriesOf(h.cmd), func(e entry) bool { return f != wholeFlags && strings.HasSuffix(e.term, "--help NAME") })
	switch f {
	case namesOfFlags:
		var names []string
		for _, e := range all {
			name := e.term[strings.Index(e.term, "--"):]
			name, _, _ = strings.Cut(name, " ")
			names = append(names, name+",")
		}
		if len(names) == 0 {
			return nil
		}
		return indented(wrap(strings.TrimSuffix(strings.Join(names, " "), ","), helpWidth-2))
	case shortFlags:
		return shortened(all)
	default:
		return linesOf(columns(all))
	}
}

// common describes the flags of the overview of a command with pages.
func (h *help) common() string {
	var all []entry
	for _, c := range h.Common {
		if f := h.cmd.Flags().Lookup(c[0]); f != nil {
			e := entryOf(f, "--"+f.Name)
			e.text = c[1]
			all = append(all, e)
		}
	}
	return columns(all)
}

// entriesOf describes all flags of a command that are not hidden.
func entriesOf(cmd *cobra.Command) (all []entry) {
	letters := false
	flags := cmd.LocalFlags()
	flags.VisitAll(func(f *pflag.Flag) { letters = letters || !f.Hidden && f.Shorthand != "" && f.Name != "help" })
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		switch {
		case f.Shorthand != "":
			name = "-" + f.Shorthand + ", " + name
		case letters:
			name = "    " + name
		}
		all = append(all, entryOf(f, name))
	})
	return all
}

// usageOf returns the usage of a command.
func usageOf(cmd *cobra.Command) []string {
	ros := ""
	if cmd.Annotations[takesROS] != "" {
		ros = " [" + ROSArgs + " …]"
	}
	line := cmd.UseLine()
	switch {
	case !cmd.Runnable():
		line = cmd.CommandPath() + " COMMAND"
	case len(Documented(cmd)) > 0 && !strings.Contains(line, "COMMAND"):
		line = strings.Replace(line, cmd.CommandPath(), cmd.CommandPath()+" [COMMAND]", 1)
	}
	return wrapCommand("  "+line+ros, "")
}

// examplesOf returns all examples of a command.
func examplesOf(cmd *cobra.Command) []string { return someExamples(cmd, -1) }

// someExamples returns the first examples of a command, all with a negative number. Long ones are wrapped with the
// shell's line continuation.
func someExamples(cmd *cobra.Command, most int) (lines []string) {
	for i, line := range linesOf(cmd.Example) {
		if i == most {
			break
		}
		call, meaning, found := strings.Cut(strings.TrimSpace(line), "  ")
		meaning = strings.TrimSpace(meaning)
		short := "  " + call + "  " + meaning
		switch {
		case !found || utf8.RuneCountInString(line) <= helpWidth:
			lines = append(lines, wrapCommand(line, " \\")...)
		case utf8.RuneCountInString(short) <= helpWidth:
			lines = append(lines, short)
		default:
			lines = append(append(lines, wrapCommand("  "+call, " \\")...), "      "+meaning)
		}
	}
	return lines
}

// commandsOf returns the sub-commands of a command, by groups.
func commandsOf(cmd *cobra.Command) (list []section) {
	below := Documented(cmd)
	if len(below) == 0 {
		return nil
	}
	if len(cmd.Groups()) == 0 {
		return []section{{"Commands", linesOf(columns(commandEntries(below)))}}
	}
	groups := cmd.Groups()
	for _, g := range groups[:len(groups)-1] {
		of := slices.DeleteFunc(slices.Clone(below), func(c *cobra.Command) bool { return c.GroupID != g.ID })
		list = append(list, section{strings.TrimSuffix(g.Title, ":"), linesOf(columns(commandEntries(of)))})
	}
	last := groups[len(groups)-1]
	names := []string{"help COMMAND"}
	for _, c := range below {
		if c.GroupID == last.ID {
			names = append(names, c.Name())
		}
	}
	return append(list, section{"", []string{last.Title + " " + strings.Join(names, ", ")}})
}

func commandEntries(list []*cobra.Command) (all []entry) {
	for _, c := range list {
		all = append(all, entry{c.Name(), c.Short})
	}
	return all
}

// rosLines describes the ROS arguments if a command has them.
func rosLines(cmd *cobra.Command) []string {
	if cmd.Annotations[takesROS] == "" {
		return nil
	}
	var all []entry
	for _, a := range ROSArgumentHelp {
		all = append(all, entry{a[0], a[1]})
	}
	return linesOf(columns(all))
}

func rosSection(cmd *cobra.Command) section {
	return section{"ROS arguments, behind " + ROSArgs + "; -- ends them", rosLines(cmd)}
}
