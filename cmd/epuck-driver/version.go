// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Set by the release build (scripts/cross.sh, -ldflags -X); a plain "go build" leaves them to what Go itself recorded.
var (
	version = "" // git describe
	commit  = "" // full hash, with "-dirty" when the tree held more than the commit
	date    = "" // day of the commit, 2006-01-02
)

// buildInfo is what this program is: `version --json` prints it, bug reports carry it.
type buildInfo struct {
	Version    string   `json:"version"`
	Commit     string   `json:"commit,omitempty"`
	Date       string   `json:"date,omitempty"`
	Go         string   `json:"go"`
	OS         string   `json:"os"`
	Arch       string   `json:"arch"`
	GOARM      string   `json:"goarm,omitempty"`
	Tags       []string `json:"tags"`
	Cgo        bool     `json:"cgo"`
	Race       bool     `json:"race,omitempty"`
	Camera     string   `json:"camera"`
	Transports []string `json:"transports"`
}

func newVersionCommand(p *program) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print what this program is",
		Long:    "Prints what this program is: its version, how it was built, and whether it has the camera and which transports.",
		Example: "  epuck-driver version\n  epuck-driver version --json",
		Args:    noArguments,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, for programs and bug reports")
	cmd.RunE = func(*cobra.Command, []string) error {
		info := thisBuild()
		if !asJSON {
			info.print(p.out)
			return nil
		}
		enc := json.NewEncoder(p.out)
		enc.SetIndent("", "  ")
		return enc.Encode(info)
	}
	return cmd
}

func (b buildInfo) print(w io.Writer) {
	fmt.Fprintf(w, "epuck-driver %s %s %s/%s\n", b.Version, b.Go, b.OS, b.Arch)
	fmt.Fprintf(w, "  commit      %s\n", strings.TrimSpace(orElse(b.Commit, "unknown")+" "+b.Date))
	var settings []string
	if b.GOARM != "" {
		settings = append(settings, "GOARM="+b.GOARM)
	}
	settings = append(settings, map[bool]string{true: "cgo", false: "no cgo"}[b.Cgo], "tags "+orElse(strings.Join(b.Tags, ","), "none"))
	fmt.Fprintf(w, "  settings    %s\n", strings.Join(settings, ", "))
	fmt.Fprintf(w, "  camera      %s\n", b.Camera)
	fmt.Fprintf(w, "  transports  %s\n", transportsText(b.Transports))
}

// thisBuild describes the running program from the release build's variables and Go's own record.
func thisBuild() buildInfo {
	record, _ := debug.ReadBuildInfo()
	return describe(record)
}

func describe(record *debug.BuildInfo) buildInfo {
	settings := map[string]string{}
	module := ""
	if record != nil {
		module = record.Main.Version
		for _, s := range record.Settings {
			settings[s.Key] = s.Value
		}
	}
	b := buildInfo{
		Version: orElse(version, orElse(module, "unknown")), Commit: orElse(commit, settings["vcs.revision"]), Date: orElse(date, day(settings["vcs.time"])),
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, GOARM: settings["GOARM"],
		Tags: strings.FieldsFunc(settings["-tags"], func(r rune) bool { return r == ',' || r == ' ' }),
		Cgo:  settings["CGO_ENABLED"] == "1", Race: settings["-race"] == "true",
		Camera: "V4L2", Transports: []string{"rtps"},
	}
	if commit == "" && settings["vcs.modified"] == "true" {
		b.Commit += "-dirty"
	}
	if !b.Cgo {
		b.Camera = "none (built without cgo)"
	}
	if slices.Contains(b.Tags, "rclgo") {
		b.Transports = append(b.Transports, "rclgo")
	}
	return b
}

// day is the date of an RFC 3339 time.
func day(stamp string) string {
	d, _, _ := strings.Cut(stamp, "T")
	return d
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
