// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
)

// Normalize rewrites a command line for the commands below root, so that pflag parses it as Python's argparse, which
// the ros2 command uses, would:
//
//   - "-0.5" is a negative number, not flags, unless the command has a flag of that digit ("topic pub -1");
//   - an option with several values accepts all words up to the next option ("--param-prefixes a b");
//   - "-name" means "--name" where the command has no flag of that one letter;
//   - a flag whose value is optional also accepts it after a space, if it can't be anything else.
//
// Unknown words are left unchanged, so that pflag reports them.
func Normalize(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	depth := 0
	for c := cmd; c.HasParent(); c = c.Parent() {
		depth++
	}
	flags, free, lacking := split(cmd, args)
	depth = min(depth, len(free))
	switch {
	case lacking: // the last flag lacks its value, and must not take another argument's
		return append(free[:depth], flags...)
	case slices.ContainsFunc(free[depth:], func(a string) bool { return strings.HasPrefix(a, "-") }):
		return slices.Concat(free[:depth], flags, []string{"--"}, free[depth:])
	}
	return slices.Concat(free[:depth], flags, free[depth:])
}

// split separates a command line into flags with their values, and the rest in order. Lacking means that the value of
// the last flag is missing.
func split(cmd *cobra.Command, args []string) (flags, free []string, lacking bool) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return flags, append(free, args[i+1:]...), false
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" || isNegative(cmd, arg) {
			free = append(free, arg)
			continue
		}
		arg = longName(cmd, arg)
		flags = append(flags, arg)
		f := awaiting(cmd, arg)
		if f == nil {
			if i+1 < len(args) && takesValue(cmd, arg, args[i+1]) {
				i++
				flags[len(flags)-1] += "=" + args[i]
			}
			continue
		}
		if i+1 == len(args) {
			return flags, free, true
		}
		i++
		flags = append(flags, args[i])
		v, _ := f.Value.(*optionValue)
		for (v != nil && v.option.repeated || f.Annotations[SeveralValues] != nil) && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			flags = append(flags, "--"+f.Name, args[i])
		}
	}
	return flags, free, false
}

// Annotations of flags, for commands of other packages: SeveralValues makes a flag accept all words up to the next
// flag. OptionalNumber and OptionalAddress make a flag with a NoOptDefVal accept the following word if it is a number,
// or HOST:PORT; the values of OptionalAddress are further accepted words, AddressPort means any port alone.
const (
	SeveralValues   = "argparse-several"
	OptionalNumber  = "argparse-optional-number"
	OptionalAddress = "argparse-optional-address"
	AddressPort     = "PORT"
)

// takesValue reports whether next is the optional value of a flag.
func takesValue(cmd *cobra.Command, arg, next string) bool {
	f := cmd.Flags().Lookup(strings.TrimPrefix(arg, "--"))
	if f == nil {
		return false
	}
	if f.Annotations[OptionalNumber] != nil {
		_, err := strconv.ParseFloat(next, 64)
		return err == nil
	}
	forms, optional := f.Annotations[OptionalAddress]
	return optional && (isAddress(next) || slices.Contains(forms, next) || slices.Contains(forms, AddressPort) && isPort(next))
}

// isAddress reports whether a word is HOST:PORT, with an empty host for all of them.
func isAddress(word string) bool {
	at := strings.LastIndexByte(word, ':')
	return at >= 0 && isPort(word[at+1:]) && !strings.ContainsAny(word[:at], "/= ")
}

// isPort reports whether a word is the number of a port.
func isPort(word string) bool {
	_, err := strconv.ParseUint(word, 10, 16)
	return err == nil
}

// isNegative reports whether a word is a negative number and not a flag.
func isNegative(cmd *cobra.Command, arg string) bool {
	if _, err := strconv.ParseFloat(arg, 64); err != nil {
		return false
	}
	return cmd.Flags().ShorthandLookup(arg[1:2]) == nil
}

// longName returns arg with a second dash if it is a long name with one.
func longName(cmd *cobra.Command, arg string) string {
	name, _, _ := strings.Cut(arg[1:], "=")
	if len(name) < 2 || name[0] == '-' || cmd.Flags().ShorthandLookup(name[:1]) != nil || cmd.Flags().Lookup(name) == nil {
		return arg
	}
	return "-" + arg
}

// awaiting returns the flag whose value is the next argument after arg, if any.
func awaiting(cmd *cobra.Command, arg string) *pflag.Flag {
	var f *pflag.Flag
	switch {
	case strings.Contains(arg, "="):
	case strings.HasPrefix(arg, "--"):
		f = cmd.Flags().Lookup(arg[2:])
	default: // the last of joined flags, unless the rest is the value of one before it
		for i := 1; i < len(arg); i++ {
			f = cmd.Flags().ShorthandLookup(arg[i : i+1])
			if f == nil || f.NoOptDefVal == "" && i+1 < len(arg) {
				return nil
			}
		}
	}
	if f == nil || f.NoOptDefVal != "" {
		return nil
	}
	return f
}

// abbreviations allows unambiguous prefixes of long names, as argparse does.
func abbreviations(names []string) func(*pflag.FlagSet, string) pflag.NormalizedName {
	return func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if near := beginningWith(names, name); len(near) == 1 && !slices.Contains(names, name) {
			name = near[0]
		}
		return pflag.NormalizedName(name)
	}
}

func beginningWith(names []string, prefix string) []string {
	var found []string
	for _, n := range names {
		if strings.HasPrefix(n, prefix) {
			found = append(found, n)
		}
	}
	return found
}

// flagErrorText returns the error of a flag in argparse's wording.
func flagErrorText(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	var lacking *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &lacking):
		return fmt.Sprintf("argument %s: expected one argument", shownFlag(lacking.GetFlag().Name, lacking.GetFlag().Shorthand))
	case errors.As(err, &invalid):
		f, cause := invalid.GetFlag(), invalid.Unwrap().Error()
		if f.Value.Type() == "bool" {
			cause = fmt.Sprintf("ignored explicit argument '%s'", invalid.GetValue())
		}
		return fmt.Sprintf("argument %s: %s", shownFlag(f.Name, f.Shorthand), cause)
	}
	return err.Error()
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) string {
	if short := e.GetSpecifiedShortnames(); short != "" {
		return "unrecognized arguments: -" + short
	}
	name := e.GetSpecifiedName()
	var near []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, name) {
			near = append(near, "--"+f.Name)
		}
	})
	if len(near) > 1 {
		return fmt.Sprintf("ambiguous option: --%s could match %s", name, strings.Join(near, ", "))
	}
	return "unrecognized arguments: --" + name + didYouMeanFlag(cmd, name)
}

// didYouMeanFlag is the suggestion at the end of an error about a misspelled flag.
func didYouMeanFlag(cmd *cobra.Command, name string) string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	near := suggest.Near(name, all)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean '--" + strings.Join(near, "' or '--") + "'?"
}

// FlagError adds suggestions for a misspelled flag to an error of package pflag. It is for the SetFlagErrorFunc of
// other commands; those of [Commands] have it.
func FlagError(cmd *cobra.Command, err error) error {
	if wrong := durationError(err); wrong != nil {
		return wrong
	}
	if wrong := numberError(err); wrong != nil {
		return wrong
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	if near := didYouMeanFlag(cmd, unknown.GetSpecifiedName()); near != "" {
		return fmt.Errorf("%w%s", err, near)
	}
	return err
}

// durationError returns the error of an invalid duration, and nil for another error.
func durationError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) || wrong.GetFlag() == nil || wrong.GetFlag().Value.Type() != "duration" {
		return nil
	}
	name, value := wrong.GetFlag().Name, wrong.GetValue()
	if _, bad := strconv.ParseFloat(value, 64); bad == nil {
		return fmt.Errorf("--%s %s: the unit is missing: write %ss for seconds (units are ms, s, m and h)", name, value, value)
	}
	return fmt.Errorf("--%s %s: want a duration with its unit, as in 500ms, 4s, 1m30s or 2h", name, value)
}

// numberError returns the error of an invalid number of a flag, and nil for another error.
func numberError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) || wrong.GetFlag() == nil {
		return nil
	}
	var want string
	name, value := wrong.GetFlag().Name, wrong.GetValue()
	switch kind := wrong.GetFlag().Value.Type(); {
	case strings.HasPrefix(kind, "float"):
		want = "number"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		want = "whole number"
	default:
		return nil
	}
	if strings.HasSuffix(wrong.GetFlag().Value.Type(), "Slice") {
		want = "list of " + want + "s with commas between"
	}
	return fmt.Errorf("--%s %s: want a %s%s", name, value, want, PointHint(value))
}

// PointHint returns the end of an error about a text that is no number, if it would be one with a point for its comma:
// "; numbers have a point: 0.05".
func PointHint(text string) string {
	point := strings.Replace(strings.TrimSpace(text), ",", ".", 1)
	if _, err := strconv.ParseFloat(point, 64); err != nil || !strings.Contains(text, ",") {
		return ""
	}
	return "; numbers have a point: " + point
}
