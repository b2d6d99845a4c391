// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ApplySettings sets the options of a command that have no flags of their own to the values of --set, and returns the
// other settings. Errors have the form of those in files: --set:NUMBER:COLUMN.
func ApplySettings(cmd *cobra.Command, settings []string) (others []string, err error) {
	h := pagesOf(cmd)
	h.noteDeprecated(cmd)
	for i, text := range settings {
		key, value, _ := strings.Cut(text, "=")
		s, known := h.setting(key)
		switch section, _, _ := strings.Cut(key, "."); {
		case known:
			if key != s.Key {
				h.used = append(h.used, s)
			}
			err = h.apply(cmd, s, value)
		case slices.Contains(h.sections(), section):
			err = fmt.Errorf("%s: there is no such setting%s", key, hint(key, h.keys(section)))
		default:
			others = append(others, text)
		}
		if err != nil {
			return nil, Usagef("--set:%d:1: %v", i+1, err)
		}
	}
	return others, nil
}

// CompleteSetting returns the keys of a command's settings that begin with the typed text.
func CompleteSetting(cmd *cobra.Command, typed string) (keys []string) {
	for _, s := range pagesOf(cmd).Settings {
		if strings.HasPrefix(s.Key, typed) && !s.World {
			keys = append(keys, s.Key+"=")
		}
	}
	return keys
}

// apply sets the option of a setting's flag to a value.
func (h *help) apply(cmd *cobra.Command, s FlagSetting, value string) error {
	f := cmd.Flags().Lookup(s.Flag)
	if f == nil {
		return fmt.Errorf("%s: not in this program", s.Key)
	}
	if err := f.Value.Set(value); err != nil {
		return fmt.Errorf("%s: %q: %w", s.Key, value, err)
	}
	return nil
}

// setting finds a setting by its key or its former key.
func (h *help) setting(key string) (FlagSetting, bool) {
	i := slices.IndexFunc(h.Settings, func(s FlagSetting) bool {
		return !s.World && (s.Key == key || s.Former != "" && s.Former == key)
	})
	if i < 0 {
		return FlagSetting{}, false
	}
	return h.Settings[i], true
}

// sections returns the first components of the keys.
func (h *help) sections() (all []string) {
	for _, s := range h.Settings {
		if section, _, _ := strings.Cut(s.Key, "."); !s.World && !slices.Contains(all, section) {
			all = append(all, section)
		}
	}
	return all
}

// keys returns the keys of a section.
func (h *help) keys(section string) (all []string) {
	for _, s := range h.Settings {
		if strings.HasPrefix(s.Key, section+".") && !s.World {
			all = append(all, s.Key)
		}
	}
	return all
}

// noteDeprecated records the deprecated flags of the command line.
func (h *help) noteDeprecated(cmd *cobra.Command) {
	h.given, h.used = map[string]string{}, nil
	for _, s := range h.Settings {
		if f := cmd.Flags().Lookup(s.Flag); f != nil && f.Changed {
			h.given[s.Flag] = plainValue(f)
		}
	}
}

// plainValue returns the value of a flag in the form of the command line.
func plainValue(f *pflag.Flag) string {
	if v, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(v.GetSlice(), ",")
	}
	return f.Value.String()
}

// warnDeprecated prints the replacement of each deprecated flag and key of the command line on a line.
func (p *Program) warnDeprecated(cmd *cobra.Command) {
	h := pagesOf(cmd)
	if h == nil {
		return
	}
	for _, s := range h.used {
		fmt.Fprintf(p.Err, "--set %s is deprecated and goes with the next release: use --set %s\n", s.Former, s.Key)
	}
	for _, s := range h.Settings {
		value, given := h.given[s.Flag]
		if !given {
			continue
		}
		if s.World && strings.Contains(value, ",") || s.Key == "robots[*].without" {
			value = "[" + value + "]"
		}
		fmt.Fprintf(p.Err, "--%s is deprecated and goes with the next release: use --set '%s=%s'\n", s.Flag, s.Key, value)
	}
}
