// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/build/constraint"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testFunction is a test, benchmark, example or fuzz target.
type testFunction struct {
	name, folder string
	build        constraint.Expr // nil: always
	long         bool            // it skips without the tag long
}

// in reports whether go test with these tags runs the function of a package that is named as an argument.
func (f testFunction) in(tags, packages []string) bool {
	if f.build != nil && !f.build.Eval(func(tag string) bool {
		return slices.Contains([]string{"linux", "amd64", "unix", "cgo"}, tag) || strings.HasPrefix(tag, "go1.") || slices.Contains(tags, tag)
	}) {
		return false
	}
	if f.long && !slices.Contains(tags, "long") {
		return false
	}
	return len(packages) == 0 || slices.ContainsFunc(packages, func(p string) bool {
		p = strings.TrimPrefix(p, "./")
		if below, all := strings.CutSuffix(p, "..."); all {
			return below == "" || Under(f.folder, strings.TrimSuffix(below, "/"))
		}
		return f.folder == strings.TrimSuffix(p, "/")
	})
}

// testFunctions lists those of the project.
func testFunctions(t *testing.T) (list []testFunction) {
	t.Helper()
	for _, s := range sources(t) {
		if !s.Test {
			continue
		}
		var build constraint.Expr
		for _, line := range s.Text {
			if strings.HasPrefix(line, "package ") {
				break
			}
			if constraint.IsGoBuild(line) {
				var err error
				if build, err = constraint.Parse(line); err != nil {
					t.Fatal(s.Path, err)
				}
			}
		}
		for _, d := range s.AST.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && kindOfTest.MatchString(f.Name.Name) {
				list = append(list, testFunction{f.Name.Name, s.Folder, build, skipsUnlessLong(f)})
			}
		}
	}
	return list
}

// skipsUnlessLong reports whether a test skips if suite.Long is false.
func skipsUnlessLong(f *ast.FuncDecl) (skips bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		i, ok := n.(*ast.IfStmt)
		if !ok {
			return true
		}
		not, ok := i.Cond.(*ast.UnaryExpr)
		if !ok {
			return true
		}
		if long, ok := not.X.(*ast.SelectorExpr); !ok || long.Sel.Name != "Long" {
			return true
		}
		ast.Inspect(i.Body, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Skip") {
				skips = true
			}
			return true
		})
		return true
	})
	return skips
}

var kindOfTest = regexp.MustCompile(`^(Test|Benchmark|Example|Fuzz)`)

// commandFiles returns the documents, scripts and build files of the project, from its root.
func commandFiles(t *testing.T) (paths []string) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		switch name := d.Name(); {
		case d.IsDir() && (slices.Contains([]string{"node_modules", "testdata", "bin", "dist"}, name) || strings.HasPrefix(name, ".") && rel != "." && rel != ".ci"):
			return filepath.SkipDir
		case d.IsDir():
		case filepath.Ext(name) == ".md" || name == "Makefile" || Under(rel, ".ci"),
			Under(rel, "scripts") && (filepath.Ext(name) == ".sh" || filepath.Ext(name) == ""):
			paths = append(paths, rel)
		}
		return nil
	})
	if err != nil || len(paths) < 80 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	return paths
}

// codeOf returns the pieces of code of a file, a line each: of a document what is in its code spans and blocks.
func codeOf(t *testing.T, path string) (code []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(string(data), " ")
	if filepath.Ext(path) != ".md" {
		return strings.Split(text, "\n")
	}
	for _, block := range codeFence.FindAllString(text, -1) {
		code = append(code, strings.Split(block, "\n")...)
	}
	text = codeFence.ReplaceAllString(text, "")
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "    ") {
			code = append(code, line)
		}
	}
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		code = append(code, strings.ReplaceAll(strings.ReplaceAll(span[1], "\n", " "), `\|`, "|"))
	}
	return code
}

// codeSpan is a code span of Markdown, which may continue on the next line.
var codeSpan = regexp.MustCompile("`([^`\n]+(?:\n[^`\n]+)?)`")

// shellWord is a word of a command, quoted or not.
var shellWord = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)

// goTest is a command that runs tests.
type goTest struct {
	tags, packages []string
	patterns       map[string][]string // by flag: run, bench, fuzz
}

// goTests returns the commands of a line: go test and scripts/gotest.sh.
func goTests(line string) (list []goTest) {
	for _, text := range regexp.MustCompile(`\bgo test\b|\bgotest\.sh\b`).Split(line, -1)[1:] {
		c := goTest{patterns: map[string][]string{}}
		words := shellWord.FindAllString(text, -1)
		for i := 0; i < len(words); i++ {
			word := words[i]
			if word == "|" || word == ";" || word == "&&" || word == "||" || strings.HasPrefix(word, "#") {
				break
			}
			if strings.HasPrefix(word, "./") || word == "." {
				if word = strings.TrimRight(word, ";,)"); !strings.HasSuffix(word, "...") && word != "." {
					word = strings.TrimSuffix(word, ".")
				}
				c.packages = append(c.packages, word)
				continue
			}
			name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
			if !strings.HasPrefix(word, "-") || !slices.Contains([]string{"run", "bench", "fuzz", "tags"}, name) {
				continue
			}
			if !joined && i+1 < len(words) {
				i++
				value = words[i]
			}
			if value = strings.Trim(value, `'"`); name == "tags" {
				c.tags = strings.Split(value, ",")
			} else {
				c.patterns[name] = append(c.patterns[name], value)
			}
		}
		list = append(list, c)
	}
	return list
}

// runsNothing are the patterns that select no test, for benchmarks alone, and placeholders.
var runsNothing = []string{"^$", "xxx", "PATTERN", "TestX", "Fuzz"}

// unmatched returns the alternatives of the patterns that match no function that go test would run.
func (c goTest) unmatched(all []testFunction) (bad []string) {
	for flag, patterns := range c.patterns {
		for _, pattern := range patterns {
			if slices.Contains(runsNothing, pattern) || strings.Contains(pattern, "$suite") || strings.HasPrefix(pattern, "$") {
				continue
			}
			first, _, _ := strings.Cut(pattern, "/")
			for _, alternative := range choices(first) {
				re, err := regexp.Compile(alternative)
				if err != nil {
					bad = append(bad, "-"+flag+" "+pattern+": "+err.Error())
					continue
				}
				if !slices.ContainsFunc(all, func(f testFunction) bool {
					return (flag == "bench") == strings.HasPrefix(f.name, "Benchmark") && re.MatchString(f.name) && f.in(c.tags, c.packages)
				}) {
					bad = append(bad, "-"+flag+" "+alternative)
				}
			}
		}
	}
	return bad
}

// choices splits a pattern at each | that is not in a group, and those of a group around all of them.
func choices(pattern string) (list []string) {
	if inner, ok := strings.CutPrefix(pattern, "^("); ok && strings.HasSuffix(inner, ")$") && !strings.ContainsAny(inner[:len(inner)-2], "()") {
		for _, a := range strings.Split(inner[:len(inner)-2], "|") {
			list = append(list, "^"+a+"$")
		}
		return list
	}
	depth, begin := 0, 0
	for i, r := range pattern {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|':
			if depth == 0 {
				list, begin = append(list, pattern[begin:i]), i+1
			}
		}
	}
	return append(list, pattern[begin:])
}

// TestCommandsRunTestsThatExist: each alternative of -run, -bench and -fuzz in a document, script or build file matches
// a test of the packages that the command names, with its tags.
func TestCommandsRunTestsThatExist(t *testing.T) {
	all, commands := testFunctions(t), 0
	for _, path := range commandFiles(t) {
		for _, line := range codeOf(t, path) {
			for _, c := range goTests(line) {
				commands++
				for _, bad := range c.unmatched(all) {
					t.Errorf("%s: %s matches no test: %s", path, bad, strings.TrimSpace(line))
				}
				for _, p := range c.packages {
					if folder := strings.TrimSuffix(strings.TrimSuffix(p, "..."), "/"); !exists(folder) {
						t.Errorf("%s: there is no package %s: %s", path, p, strings.TrimSpace(line))
					}
				}
			}
		}
	}
	if commands < 100 {
		t.Errorf("%d commands: the search is broken", commands)
	}
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join("..", "..", path))
	return err == nil
}

var (
	makeCommand = regexp.MustCompile(`^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*make((?: +[^\s;&|#>]+)+)`)
	makeTarget  = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)
	scriptPath  = regexp.MustCompile(`(?:^|[^\w./-])((?:\./)?scripts/[A-Za-z0-9_][A-Za-z0-9_./*-]*)`)
)

// TestDocumentsNameTargetsAndScriptsThatExist: each make target in the code of a document is in the Makefile, and each
// path below scripts in a document exists.
func TestDocumentsNameTargetsAndScriptsThatExist(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range makeTarget.FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	named, scripts := 0, 0
	for _, path := range commandFiles(t) {
		if filepath.Ext(path) != ".md" {
			continue
		}
		for _, line := range codeOf(t, path) {
			m := makeCommand.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, word := range strings.Fields(m[1]) {
				if strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
					break
				}
				if named++; !targets[word] {
					t.Errorf("%s: there is no make target %s: %s", path, word, strings.TrimSpace(line))
				}
			}
		}
		text, err := os.ReadFile(filepath.Join("..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range scriptPath.FindAllStringSubmatch(string(text), -1) {
			found, err := filepath.Glob(filepath.Join("..", "..", strings.TrimRight(m[1], ".")))
			if scripts++; err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", path, m[1])
			}
		}
	}
	if named < 20 || scripts < 20 {
		t.Errorf("%d targets, %d scripts: the search is broken", named, scripts)
	}
}

// TestGoTestsOfALine: the commands of a line, and which of their patterns match nothing.
func TestGoTestsOfALine(t *testing.T) {
	all := []testFunction{{name: "TestLadder", folder: "a/b"}, {name: "BenchmarkStep", folder: "a"}, {name: "TestOnRobot", folder: "a"}}
	all[2].build, _ = constraint.Parse("//go:build system")
	for line, want := range map[string]string{
		"go test -run Ladder ./a/b":                               "",
		"go test -run Ladder ./a":                                 "-run Ladder",
		"go test -run Ladder ./a/...":                             "",
		"go test -run 'Ladder|Rope' ./...":                        "-run Rope",
		"go test -run '^(TestLadder|TestRope)$' ./...":            "-run ^TestRope$",
		"go test -run '^TestLadder$/firmware' ./a/b":              "",
		"go test -run OnRobot ./a":                                "-run OnRobot",
		"go test -tags system,long -v -run OnRobot ./a":           "",
		"go test -run '^$' -bench Step ./a | tee file":            "",
		"go test -run '^$' -bench Ladder ./a/b":                   "-bench Ladder",
		"FOO=1 scripts/gotest.sh -run=Rope -- ./a":                "-run Rope",
		"go test -run Ladder ./a/b; go test -run Rope ./a/b # no": "-run Rope",
		"go test ./a # -run Rope":                                 "",
	} {
		var got []string
		for _, c := range goTests(line) {
			got = append(got, c.unmatched(all)...)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", line, text, want)
		}
	}
}
