// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

const cdrPath = "github.com/epuck-ros2/epuck-driver/msgs/cdr"

// codec is the declarations of package cdr, without function bodies.
var codec = sync.OnceValues(func() (*types.Package, error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("../../cdr/*.go")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	// Errors because of missing imports are ignored: they do not affect the declarations.
	cfg := types.Config{IgnoreFuncBodies: true, Importer: noImports{}, Error: func(error) {}}
	pkg, _ := cfg.Check(cdrPath, fset, files, nil)
	pkg.MarkComplete()
	return pkg, nil
})

type noImports struct{}

func (noImports) Import(name string) (*types.Package, error) { return nil, errors.New(name) }

// compiler type-checks generated files, package by package.
type compiler struct {
	files map[string][]byte
	done  map[string]*types.Package
}

// Import checks the package m/… that a file imports.
func (c *compiler) Import(name string) (*types.Package, error) {
	if name == cdrPath {
		return codec()
	}
	if p := c.done[name]; p != nil {
		return p, nil
	}
	fset, dir := token.NewFileSet(), strings.TrimPrefix(name, "m/")
	var files []*ast.File
	for _, file := range slices.Sorted(maps.Keys(c.files)) {
		if path.Dir(file) != dir {
			continue
		}
		f, err := parser.ParseFile(fset, file, c.files[file], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	cfg := types.Config{Importer: c}
	p, err := cfg.Check(name, fset, files, nil)
	c.done[name] = p
	return p, err
}

// compiles checks all packages of generated files.
func compiles(files map[string][]byte) error {
	c := &compiler{files, map[string]*types.Package{}}
	for file := range files {
		if dir := path.Dir(file); dir != "." {
			if _, err := c.Import("m/" + dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// actionTypes are the types to which every action and service refers.
var actionTypes = map[string]string{
	"builtin_interfaces/msg/Time.msg":       "int32 sec\nuint32 nanosec\n",
	"service_msgs/msg/ServiceEventInfo.msg": "uint8 event_type\nbuiltin_interfaces/Time stamp\nchar[16] client_gid\nint64 sequence_number\n",
	"unique_identifier_msgs/msg/UUID.msg":   "uint8[16] uuid\n",
}

// with adds files to those of actionTypes.
func with(files map[string]string) map[string]string {
	all := maps.Clone(actionTypes)
	maps.Copy(all, files)
	return all
}

// TestAction: an action has three messages, and a descriptor without data; derived types are only in the definitions.
func TestAction(t *testing.T) {
	files := generate(t, with(map[string]string{
		"d_msgs/action/GoFar.action": "# Goes.\n\nuint8 FAST = 1\nint32 order 5\n---\nint32[] path\n---\nstring<=3[2] now\n",
	}), gen.Options{Lookup: true})
	wants(t, files["d_msgs/go_far_gen.go"],
		"// GoFar is the ROS action d_msgs/action/GoFar.\n//\n// Goes.", "type GoFar struct{}",
		`func (GoFar) ROSType() string { return "d_msgs/action/GoFar" }`,
		"func (GoFar) New() (*GoFarGoal, *GoFarResult, *GoFarFeedback) {",
		"// GoFarGoal is the goal of [GoFar].", "GoFarGoalFast uint8 = 1", "func DefaultGoFarGoal() (m GoFarGoal) { m.Order = 5 return m }",
		`func (*GoFarResult) ROSType() string { return "d_msgs/action/GoFar_Result" }`,
		"// GoFarFeedback is the feedback of [GoFar] during a goal.", "d.Strings(m.Now[:], 3)",
	)
	wants(t, files["definition_gen.go"],
		`case "d_msgs/action/GoFar_SendGoal_Request": return "unique_identifier_msgs/msg/UUID goal_id\n" + "d_msgs/action/GoFar_Goal goal\n", true`,
		`case "d_msgs/action/GoFar_GetResult_Response": return "int8 status\n" + "d_msgs/action/GoFar_Result result\n", true`,
		`case "d_msgs/action/GoFar_FeedbackMessage":`,
	)
	if strings.Contains(files["lookup_gen.go"], "SendGoal") {
		t.Error("the lookup has types without a Go form")
	}
}

// TestAnyDefinitionCompiles: random packages that refer to each other, with names that have other meanings in Go,
// type-check.
func TestAnyDefinitionCompiles(t *testing.T) {
	// Words and names of Go, of package cdr and of the generated methods.
	words := []string{"type", "func", "len", "m", "d", "e", "i", "cdr", "string", "ros_type", "type_hash", "encode_cdr", "decode_cdr", "id", "ids", "a1", "nil", "range"}
	types := []string{"bool", "byte", "char", "int8", "uint16", "int64", "float32", "float64", "string", "string<=4", "Leaf", "b_msgs/Leaf", "b_msgs/Wide"}
	message := rapid.Custom(func(t *rapid.T) string {
		var text strings.Builder
		for i, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(words), 0, 6, rapid.ID[string]).Draw(t, "fields") {
			base := rapid.SampledFrom(types).Draw(t, "type")
			suffix := rapid.SampledFrom([]string{"", "[]", "[3]", "[<=2]"}).Draw(t, "list")
			value := map[string]string{"bool": " true", "string": ` "\"\\` + "`" + `"`, "float64": " -0.5", "int64": " -9223372036854775808"}[base]
			if suffix != "" || rapid.Bool().Draw(t, "no default") {
				value = ""
			}
			fmt.Fprintf(&text, "%s%s %s%s # %s */ end\n", base, suffix, name, value, base)
			if rapid.Bool().Draw(t, "constant") {
				fmt.Fprintf(&text, "uint8 %s = %d\n", strings.ToUpper(name), i)
			}
		}
		return text.String()
	})
	seed := 0
	draw := func() string {
		seed++
		return message.Example(seed)
	}
	for range 12 { // each takes the time of a compiler
		definitions := with(map[string]string{
			"a_msgs/msg/Leaf.msg": "int8 a 1\n", "b_msgs/msg/Leaf.msg": "", "b_msgs/msg/Wide.msg": "Leaf[] leaves\n",
			"a_msgs/msg/Drawn.msg": draw(), "a_msgs/srv/Asked.srv": draw() + "---\n" + draw(),
			"a_msgs/action/Done.action": draw() + "---\n" + draw() + "---\n" + draw(), "b_msgs/old/msg/Leaf.msg": "bool old true\n",
			"b_msgs/old/msg/Drawn.msg": "Leaf leaf\nWide wide\n",
		})
		files, err := gen.Generate(tree(definitions), gen.Options{Module: "m"})
		if err != nil {
			t.Fatal(err)
		}
		if err := compiles(files); err != nil {
			t.Fatalf("%v\n%s", err, definitions)
		}
		again, err := gen.Generate(tree(definitions), gen.Options{Module: "m"})
		if err != nil || !maps.EqualFunc(files, again, bytes.Equal) {
			t.Error("another time, other files", err)
		}
	}
}

// brokenFS fails to read one name.
type brokenFS struct {
	fstest.MapFS
	name string
}

var errRead = errors.New("input/output error")

func (f brokenFS) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, errRead
	}
	return f.MapFS.Open(name)
}

func (f brokenFS) ReadFile(name string) ([]byte, error) {
	if name == f.name {
		return nil, errRead
	}
	return f.MapFS.ReadFile(name)
}

func (f brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == f.name {
		return nil, errRead
	}
	return f.MapFS.ReadDir(name)
}

// TestFilesThatCannotBeRead: errors of reading a folder or file are returned.
func TestFilesThatCannotBeRead(t *testing.T) {
	for _, name := range []string{"a_msgs/msg", "a_msgs/msg/T.msg"} {
		root := brokenFS{tree(map[string]string{"a_msgs/msg/T.msg": "bool a"}), name}
		if files, err := gen.Generate(root, gen.Options{Module: "m"}); !errors.Is(err, errRead) {
			t.Errorf("%s: %v, %v", name, files, err)
		}
	}
}

// TestErrorsOfActionsAndServices: each error names the file or type concerned.
func TestErrorsOfActionsAndServices(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       error
		want       string
	}{
		{"a/action/A.action", "bool a\n---", idl.ErrSyntax, "a/action/A.action:2:1: syntax error: an action needs two lines"},
		{"a/action/A.action", "bool a\n---\nwstring b\n---", idl.ErrType, "a/action/A.action:3:1"},
		{"a/action/A.action", "Missing a\n---\n---", rihs.ErrUnknownType, "a/msg/Missing (field a/action/A_Goal.a)"},
		{"a/action/A.action", "---\nMissing a\n---", rihs.ErrUnknownType, "A_Result.a"},
		{"a/action/A.action", "---\n---\nMissing a", rihs.ErrUnknownType, "A_Feedback.a"},
		{"a/action/A.action", "bool a1\nbool a_1\n---\n---", gen.ErrClash, "a/action/A_Goal.a1"},
		{"a/msg/B.action", "", nil, "a/msg/B.action: not a .msg file"},
		{"a/action/B.msg", "", nil, "a/action/B.msg: not a .action file"},
		{"a/srv/B.srv", "Missing a\n---", rihs.ErrUnknownType, "B_Request.a"},
		{"a/srv/B.srv", "---\nbool a1\nbool a_1", gen.ErrClash, "a/srv/B_Response.a1"},
		{"a/srv/B.srv", "---\n---", idl.ErrSyntax, "a/srv/B.srv:2:1"},
		{"a/action/b.action", "---\n---", idl.ErrName, "a/action/b.action:1:1"},
		{"A/msg/B.msg", "", idl.ErrName, `package "A"`},
	} {
		_, err := gen.Generate(tree(with(map[string]string{c.name: c.text})), gen.Options{Module: "m"})
		if err == nil || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %v %q", c.name, c.text, err, c.kind, c.want)
		}
	}
	// An action and a message, or a service, with the same name would have the same file or Go type.
	for _, other := range []string{"a/msg/A.msg", "a/srv/A.srv", "a/msg/AGoal.msg", "a/msg/AFeedback.msg"} {
		text := map[string]string{".msg": "", ".srv": "---"}[path.Ext(other)]
		_, err := gen.Generate(tree(with(map[string]string{"a/action/A.action": "---\n---", other: text})), gen.Options{Module: "m"})
		if !errors.Is(err, gen.ErrClash) {
			t.Errorf("%s: %v", other, err)
		}
	}
	// Without the types to which every action refers there is no hash.
	for lacking := range actionTypes {
		files := with(map[string]string{"a/action/A.action": "---\n---"})
		delete(files, lacking)
		if _, err := gen.Generate(tree(files), gen.Options{Module: "m"}); !errors.Is(err, rihs.ErrUnknownType) {
			t.Errorf("without %s: %v", lacking, err)
		}
	}
}
