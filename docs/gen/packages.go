// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errNoPackageComment is returned for a package whose purpose no comment states.
var errNoPackageComment = errors.New("docgen: no package comment")

// packagePurposes returns a row for each folder below root that holds a package: its path, and the first sentence of
// the package comment without "Package NAME". Packages that consist of tests, and of generated code, are left out, as
// is testdata.
func packagePurposes(root string) ([][2]string, error) {
	var rows [][2]string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != root && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		purpose, err := packagePurpose(path)
		if err != nil || purpose == "" {
			return err
		}
		rel, err := filepath.Rel(root, path)
		rows = append(rows, [2]string{filepath.ToSlash(rel), purpose})
		return err
	})
	return rows, err
}

// packagePurpose returns the first sentence of the package in folder, "" if it has no code that is written by hand.
func packagePurpose(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	code, name := false, ""
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		source, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if bytes.Contains(source, []byte("\n// Code generated ")) || bytes.HasPrefix(source, []byte("// Code generated ")) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", err
		}
		code, name = true, file.Name.Name
		if sentence := firstSentence(file); sentence != "" {
			return sentence, nil
		}
	}
	if code {
		return "", fmt.Errorf("%w: %s (package %s)", errNoPackageComment, folder, name)
	}
	return "", nil
}

// firstSentence returns that of the package comment of file, as a cell of a table.
func firstSentence(file *ast.File) string {
	text := new(doc.Package).Synopsis(file.Doc.Text())
	text = strings.TrimPrefix(text, "Package "+file.Name.Name+" ")
	if _, rest, is := strings.Cut(text, " "); is && strings.HasPrefix(text, "Command ") {
		_, text, _ = strings.Cut(rest, " ")
		text = "program: " + text
	}
	return strings.NewReplacer("|", `\|`, "[", "", "]", "", "<", "&lt;").Replace(strings.TrimSuffix(text, "."))
}

// packagesMarkdown lists the packages of this module; an error is part of the text, which the test then compares.
func packagesMarkdown() string {
	rows, err := packagePurposes(filepath.Join("..", ".."))
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	b.WriteString("| folder | its package |\n| --- | --- |\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "| `%s` | %s |\n", row[0], row[1])
	}
	return b.String()
}
