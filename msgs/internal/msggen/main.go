// SPDX-License-Identifier: Apache-2.0

// Command msggen generates the Go packages of this module's interface definitions below the current directory. It is
// run by go generate. Other modules use msgs/cmd/msggen, which has the definitions of this one built in.
//
// Usage: msggen [-lookup] import-path-of-the-current-directory
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
)

func main() {
	lookup := flag.Bool("lookup", false, "also generate the lookup of types by name, and pack the definitions")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: msggen [-lookup] import-path")
		os.Exit(2)
	}
	if err := run(".", gen.Options{Module: flag.Arg(0), Lookup: *lookup}); err != nil {
		fmt.Fprintln(os.Stderr, "msggen:", err)
		os.Exit(1)
	}
}

// run generates the packages below root.
func run(root string, opts gen.Options) error {
	opts.Licence = "Apache-2.0"
	files, err := gen.Generate(os.DirFS(root), opts)
	if err != nil {
		return err
	}
	if opts.Lookup {
		if files["sources.zip.gz"], err = pack(os.DirFS(root)); err != nil {
			return err
		}
	}
	return gen.Write(root, files)
}
