// SPDX-License-Identifier: Apache-2.0

// Command msggen generates Go packages from ROS 2 interface definitions, one for each ROS package, with CDR encoding,
// ROS names and type hashes. It reads PKG/msg/*.msg, PKG/srv/*.srv and PKG/action/*.action below a folder and writes
// PKG/*_gen.go. Fields may have types of this module (std_msgs, geometry_msgs, …), which are imported.
//
//	msggen [flags] [DIR]
//
// Other types are looked up in the libraries and share folders that the flags name; referenced packages of share
// folders are also generated below DIR. In a go.mod and a Go file in the folder of the definitions:
//
//	tool github.com/epuck-ros2/epuck-driver/msgs/cmd/msggen
//
//	//go:generate go tool msggen
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
)

// standard is the import path of this module's own interfaces.
const standard = "github.com/epuck-ros2/epuck-driver/msgs"

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// options are the command-line options.
type options struct {
	dir, importPath, share, packages, licence string
	libraries                                 libraries
}

// run generates the packages and returns the exit status: 0 for success, 1 for failure, 2 for an invalid command line.
func run(args []string, log io.Writer) int {
	o, err := parse(args, log)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := o.generate(log); err != nil {
		fmt.Fprintln(log, "msggen:", err)
		return 1
	}
	return 0
}

// parse parses the command line. Package flag prints its errors.
func parse(args []string, log io.Writer) (*options, error) {
	o := &options{dir: "."}
	f := flag.NewFlagSet("msggen", flag.ContinueOnError)
	f.SetOutput(log)
	f.StringVar(&o.importPath, "import", "", "import `path` of DIR (default: from the go.mod above it)")
	f.StringVar(&o.share, "share", "", "share `folders` of ROS 2 installations, such as /opt/ros/jazzy/share, separated as in PATH")
	f.StringVar(&o.packages, "packages", "", "`names` of packages of the share folders to generate even if they are not referenced, separated by commas")
	f.StringVar(&o.licence, "licence", "", "SPDX `identifier` for the first line of each file (default: none)")
	f.Var(&o.libraries, "library", "`IMPORT=FOLDER`: definitions with Go packages in another module; may be repeated")
	f.Usage = func() {
		fmt.Fprintln(log, "usage: msggen [flags] [DIR]")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 1 {
		f.Usage()
		return nil, errors.New("more than one folder")
	}
	if f.NArg() == 1 {
		o.dir = f.Arg(0)
	}
	return o, nil
}

// generate writes the packages below the folder.
func (o *options) generate(log io.Writer) (err error) {
	opts := gen.Options{
		Module: o.importPath, Licence: o.licence,
		Libraries: append(o.libraries.list, gen.Library{Root: msgs.Sources(), Import: standard}),
		Skipped: func(name string, err error) {
			fmt.Fprintf(log, "msggen: %s is skipped: %v\n", name, err)
		},
	}
	if opts.Module == "" {
		if opts.Module, err = importPath(o.dir); err != nil {
			return err
		}
	}
	for _, folder := range filepath.SplitList(o.share) {
		if _, err := os.Stat(folder); err != nil {
			return fmt.Errorf("-share: %w", err)
		}
		opts.Share = append(opts.Share, os.DirFS(folder))
	}
	if o.packages != "" {
		opts.Packages = strings.Split(o.packages, ",")
	}
	files, err := gen.Generate(os.DirFS(o.dir), opts)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%w: %s has no PACKAGE/msg, PACKAGE/srv or PACKAGE/action", fs.ErrNotExist, o.dir)
	}
	return gen.Write(o.dir, files)
}

// libraries are the values of -library.
type libraries struct{ list []gen.Library }

// String is part of [flag.Value].
func (l *libraries) String() string { return "" }

// Set adds a library, IMPORT=FOLDER.
func (l *libraries) Set(text string) error {
	path, folder, ok := strings.Cut(text, "=")
	if !ok || path == "" || folder == "" {
		return errors.New("want IMPORT=FOLDER")
	}
	if _, err := os.Stat(folder); err != nil {
		return err
	}
	l.list = append(l.list, gen.Library{Root: os.DirFS(folder), Import: path})
	return nil
}
