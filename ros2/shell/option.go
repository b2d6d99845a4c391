// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// option is a named argument. An option without a metavar is a flag.
type option struct {
	names    string // separated by blanks, the long one first: "--rate -r"
	metavar  string
	help     string
	def      string // the value without the option
	choices  []string
	check    func(value string) error
	repeated bool   // accepts all values up to the next option
	excludes string // long name of the option with which it cannot be combined
}

// name is the long name without its dashes.
func (o *option) name() string { return strings.TrimPrefix(strings.Fields(o.names)[0], "--") }

// shorthand is the short name without its dash, or empty.
func (o *option) shorthand() string {
	if names := strings.Fields(o.names); len(names) > 1 {
		return strings.TrimPrefix(names[1], "-")
	}
	return ""
}

// shown returns the name of an option in messages: "-r/--rate".
func (o *option) shown() string { return shownFlag(o.name(), o.shorthand()) }

func shownFlag(name, shorthand string) string {
	if shorthand != "" {
		return "-" + shorthand + "/--" + name
	}
	return "--" + name
}

// option returns the option with the long name, nil if there is none.
func (c *command) option(long string) *option {
	for i := range c.options {
		if "--"+c.options[i].name() == long {
			return &c.options[i]
		}
	}
	return nil
}

// addOptions adds the flags of a command, with completion of values from a list.
func (c *command) addOptions(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false // help lists them as the ros2 command does
	names := []string{"help"}
	for i := range c.options {
		o := &c.options[i]
		names = append(names, o.name())
		if o.metavar == "" {
			cmd.Flags().BoolP(o.name(), o.shorthand(), false, o.help)
			continue
		}
		help := o.help
		if len(o.choices) > 0 {
			help += " (" + strings.Join(o.choices, ", ") + ")"
		}
		cmd.Flags().VarP(&optionValue{option: o}, o.name(), o.shorthand(), help)
		complete := cobra.NoFileCompletions
		if len(o.choices) > 0 {
			complete = cobra.FixedCompletions(o.choices, cobra.ShellCompDirectiveNoFileComp)
		}
		_ = cmd.RegisterFlagCompletionFunc(o.name(), complete) // fails for unknown and repeated names only
	}
	cmd.Flags().SetNormalizeFunc(abbreviations(names))
}

// optionValue is the value of an option: a pflag.Value.
type optionValue struct {
	option *option
	values []string
}

// String returns the values, or the default.
func (v *optionValue) String() string {
	if len(v.values) == 0 {
		if v.option == nil { // pflag calls String of a zero value
			return ""
		}
		return v.option.def
	}
	return strings.Join(v.values, " ")
}

// Type returns the name of the value in the help.
func (v *optionValue) Type() string { return v.option.metavar }

// Set sets or adds a value; the last one applies unless the option accepts several.
func (v *optionValue) Set(s string) error {
	o := v.option
	if len(o.choices) > 0 && !slices.Contains(o.choices, s) {
		return fmt.Errorf("invalid choice: '%s' (choose from '%s')", s, strings.Join(o.choices, "', '"))
	}
	if o.check != nil {
		if err := o.check(s); err != nil {
			return err
		}
	}
	if !o.repeated {
		v.values = nil
	}
	v.values = append(v.values, s)
	return nil
}

// wholeNumber parses an integer.
func wholeNumber(v string) (int, bool) {
	n, err := strconv.ParseInt(v, 10, 32)
	return int(n), err == nil
}

// isPositiveFloat, isNonnegative, isPositive and isUnsigned check the values of
// options; their texts are those of the ros2 command.
func isPositiveFloat(v string) error {
	if f, err := strconv.ParseFloat(v, 64); err != nil || !(f > 0) || math.IsInf(f, 0) {
		return fmt.Errorf("invalid positive_float value: '%s'", v)
	}
	return nil
}

func isNonnegative(v string) error {
	if n, ok := wholeNumber(v); !ok || n < 0 {
		return fmt.Errorf("invalid nonnegative_int value: '%s'", v)
	}
	return nil
}

func isPositive(v string) error {
	if n, ok := wholeNumber(v); !ok || n <= 0 {
		return errors.New("value must be a positive integer")
	}
	return nil
}

func isUnsigned(v string) error {
	if n, ok := wholeNumber(v); !ok || n < 0 {
		return errors.New("value must be non-negative integer")
	}
	return nil
}

func isFloat(v string) error {
	if f, err := strconv.ParseFloat(v, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("invalid float value: '%s'", v)
	}
	return nil
}
