// SPDX-License-Identifier: Apache-2.0

// Command archives makes the downloads of a release from built programs: an archive for each system with licences
// and a list of the modules inside (SBOM), manifests for Homebrew, Scoop and winget, release notes, and checksums,
// which it signs if it has a key. Equal programs result in equal bytes. scripts/archives.sh builds the programs and
// calls it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// release is what the archives are made of, and where they go.
type release struct {
	version  string    // as in the names of the files: without the v of a tag
	tag      string    // as in the addresses
	time     time.Time // of all files
	programs string    // folder with a folder OS-ARCH for each program
	common   string    // folder of files that every archive has
	out      string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "archives:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var r release
	flags := flag.NewFlagSet("archives", flag.ContinueOnError)
	flags.StringVar(&r.tag, "version", "", "version or tag")
	seconds := flags.Int64("time", 0, "time of the files, s since 1970")
	flags.StringVar(&r.programs, "programs", "", "folder with a folder OS-ARCH for each program")
	flags.StringVar(&r.common, "common", "", "folder of files that every archive has")
	flags.StringVar(&r.out, "out", "dist", "folder for the archives")
	changes := flags.String("changes", "CHANGELOG.md", "file of changes")
	key := flags.String("key", "", "minisign's file of the secret key, without a password (minisign -G -W)")
	some := flags.Bool("some", false, "not all programs: without manifests, which name them all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r.version, r.time = strings.TrimPrefix(r.tag, "v"), time.Unix(*seconds, 0).UTC()
	text, err := os.ReadFile(*changes)
	if err != nil {
		return err
	}
	if err := r.write("RELEASE_NOTES.md", []byte(notes(string(text), r.version))); err != nil {
		return err
	}
	sums, err := r.archives()
	if err != nil {
		return err
	}
	if !*some {
		err = r.manifests(sums)
	}
	return errors.Join(err, r.checksums(*key))
}

// errNoPrograms is returned for a folder without programs.
var errNoPrograms = errors.New("no programs")

// archives makes an archive and an SBOM for each program, and returns the archives' checksums by system.
func (r *release) archives() (map[string]string, error) {
	folders, err := filepath.Glob(filepath.Join(r.programs, "*-*"))
	if err != nil || len(folders) == 0 {
		return nil, errors.Join(fmt.Errorf("%w in %s", errNoPrograms, r.programs), err)
	}
	sums := map[string]string{}
	for _, folder := range folders {
		target := filepath.Base(folder)
		name := r.name(target)
		files, err := r.files(folder, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", target, err)
		}
		pack, suffix := tarball, ".tar.gz"
		if strings.HasPrefix(target, "windows") {
			pack, suffix = zipped, ".zip"
		}
		data, err := pack(files, r.time)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(r.write(name+suffix, data), r.write(name+".cdx.json", files[name+"/sbom.cdx.json"])); err != nil {
			return nil, err
		}
		sums[target] = sum(data)
	}
	return sums, nil
}

// name is the name of a target's archive without its suffix: epuck-driver_1.2.0_linux_amd64.
func (r *release) name(target string) string {
	return "epuck-driver_" + r.version + "_" + strings.ReplaceAll(target, "-", "_")
}

func (r *release) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}
