// SPDX-License-Identifier: Apache-2.0

// Package build describes the program: its version, how it was built, and which transports it has.
package build

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Set by the release build; if empty, the values that Go recorded are used.
var (
	// Version is the output of git describe.
	Version = ""
	// Commit is the full hash, with "-dirty" if the tree had uncommitted changes.
	Commit = ""
	// Date is the day of the commit, 2006-01-02.
	Date = ""
)

// Info describes this program: `version --json` prints it for bug reports.
type Info struct {
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

// Print writes the description for users.
func (b Info) Print(w io.Writer) {
	fmt.Fprintf(w, "epuck-driver %s %s %s/%s\n", b.Version, b.Go, b.OS, b.Arch)
	fmt.Fprintf(w, "  commit      %s\n", strings.TrimSpace(cmp.Or(b.Commit, "unknown")+" "+b.Date))
	var settings []string
	if b.GOARM != "" {
		settings = append(settings, "GOARM="+b.GOARM)
	}
	settings = append(settings, map[bool]string{true: "cgo", false: "no cgo"}[b.Cgo], "tags "+cmp.Or(strings.Join(b.Tags, ","), "none"))
	fmt.Fprintf(w, "  settings    %s\n", strings.Join(settings, ", "))
	fmt.Fprintf(w, "  camera      %s\n", b.Camera)
	fmt.Fprintf(w, "  transports  %s\n", transportsText(b.Transports))
}

// This returns the description of the running program from the release build's variables and Go's build information.
func This() Info {
	record, _ := debug.ReadBuildInfo()
	return describe(record)
}

func describe(record *debug.BuildInfo) Info {
	settings := map[string]string{}
	module := ""
	if record != nil {
		module = record.Main.Version
		for _, s := range record.Settings {
			settings[s.Key] = s.Value
		}
	}
	b := Info{
		Version: cmp.Or(Version, cmp.Or(module, "unknown")), Commit: cmp.Or(Commit, settings["vcs.revision"]), Date: cmp.Or(Date, day(settings["vcs.time"])),
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, GOARM: settings["GOARM"],
		Tags: strings.FieldsFunc(settings["-tags"], func(r rune) bool { return r == ',' || r == ' ' }),
		Cgo:  settings["CGO_ENABLED"] == "1", Race: settings["-race"] == "true",
		Camera: "V4L2", Transports: []string{"rtps"},
	}
	if Commit == "" && settings["vcs.modified"] == "true" {
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

// day returns the date of an RFC 3339 time.
func day(stamp string) string {
	d, _, _ := strings.Cut(stamp, "T")
	return d
}
