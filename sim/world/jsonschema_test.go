// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

var update = flag.Bool("update", false, "write world.schema.json anew")

// schemaFile is where the schema is for editors; the example worlds name it.
const schemaFile = "world.schema.json"

// TestSchemaFileIsCurrent: the file for editors is what the program's types say.
func TestSchemaFileIsCurrent(t *testing.T) {
	text, err := world.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(have, text) {
		t.Errorf("%s is stale (%v): make generate", schemaFile, err)
	}
}

// compiledSchema is the schema as a validator reads it.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := world.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaFile, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain returns a world file as editors see it: JSON, which has neither NaN nor infinity.
func plain(t *testing.T, text string) (any, bool) {
	t.Helper()
	var v any
	if yaml.Unmarshal([]byte(text), &v) != nil {
		return nil, false
	}
	data, err := json.Marshal(finite(v))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc, true
}

// finite writes numbers that JSON does not have as texts.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "no number"
		}
	case []any:
		for i := range v {
			v[i] = finite(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = finite(v[k])
		}
	}
	return v
}

// TestSchemaAcceptsWorlds: every example world is valid by the schema and names it in its first line, for
// yaml-language-server; so is a file that has every field.
func TestSchemaAcceptsWorlds(t *testing.T) {
	s := compiledSchema(t)
	worlds := map[string]string{"full": full}
	for _, name := range world.Examples() {
		text, err := world.ExampleSource(name)
		if err != nil {
			t.Fatal(err)
		}
		worlds[name] = string(text)
		if !strings.HasPrefix(worlds[name], "# yaml-language-server: $schema=../"+schemaFile+"\n") {
			t.Errorf("examples/%s.yaml does not name the schema in its first line", name)
		}
	}
	for name, text := range worlds {
		if doc, ok := plain(t, text); !ok {
			t.Errorf("%s is no YAML", name)
		} else if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// onlyParsed are mistakes that no schema can see: of names that come twice, of totals and of files.
var onlyParsed = []string{"is also the name of", "20001 walls, boxes and cylinders", "2001 checkers, circles and points", "a world that is not read from a file", "at most 16777216", "with a slip_length of",
	"a second document"}

// TestSchemaRejectsWhatTheParserRejects: the mistakes that the parser finds, but for those that no schema can see.
func TestSchemaRejectsWhatTheParserRejects(t *testing.T) {
	s, rejected := compiledSchema(t), 0
	for _, c := range append(grammar(), nonsense()...) {
		if len(c.text) > 1<<20 {
			continue // a limit of the parser
		}
		doc, ok := plain(t, c.text)
		if !ok {
			continue // no YAML: the editor says so itself
		}
		seen := true
		for _, text := range onlyParsed {
			seen = seen && !strings.Contains(c.want, text)
		}
		switch err := s.Validate(doc); {
		case err == nil && seen:
			t.Errorf("%.60q is valid, but for the parser: %s", c.text, c.want)
		case err != nil:
			rejected++
		}
	}
	if rejected < 80 {
		t.Errorf("only %d mistakes are found", rejected)
	}
}

// stricter reports whether the schema may reject a value that the parser reads: nothing as a field that is not there,
// numbers and truth values as texts, no text as a default, and the pixels of a picture that is not there.
func stricter(path string, was, value any) bool {
	_, text := was.(string)
	_, texts := value.(string)
	return value == nil || value == "" || text && !texts || path == "floor.resolution"
}

// TestSchemaAgreesWithTheParser: of a file that has every field, each value is replaced by others, and the schema and
// the parser agree about the result.
func TestSchemaAgreesWithTheParser(t *testing.T) {
	s, tried := compiledSchema(t), 0
	others := []any{-1e9, -1.0, 0.0, 0.0005, 0.05, 0.5, 1.0, 3.0, 12.0, 41.0, 1e9, "none", "x y", "", true, []any{}, []any{1.0}, map[string]any{}, nil}
	if !suite.Long {
		others = []any{-1.0, "x y"}
	}
	each(t, full, others, func(path string, was, value any, text []byte) {
		tried++
		_, err := world.LoadFS(fstest.MapFS{"w.yaml": {Data: text}, "floor.png": {Data: onePixel(t)}}, "w.yaml")
		doc, ok := plain(t, string(text))
		if !ok {
			t.Fatalf("%s = %v is no YAML", path, value)
		}
		invalid := s.Validate(doc)
		if err != nil && invalid == nil && !schemaCantSee(err) {
			t.Errorf("%s = %#v is valid, but for the parser: %v", path, value, err)
		}
		if err == nil && invalid != nil && !stricter(path, was, value) {
			t.Errorf("%s = %#v is read, but not valid: %v", path, value, invalid)
		}
	})
	if tried < 100*len(others) {
		t.Errorf("only %d values", tried)
	}
}

// schemaCantSee reports whether an error is of a kind that is for the parser alone.
func schemaCantSee(err error) bool {
	for _, text := range append(onlyParsed, "no such file", "file does not exist", "floor.image", "model", "floor.resolution", "cost", "must not be empty") {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// each calls f with the text of a file for each of its values and each value in its place.
func each(t *testing.T, file string, others []any, f func(path string, was, value any, text []byte)) {
	t.Helper()
	var root any
	if err := yaml.Unmarshal([]byte(file), &root); err != nil {
		t.Fatal(err)
	}
	var visit func(path string, v any, set func(any))
	visit = func(path string, v any, set func(any)) {
		for _, value := range others {
			set(value)
			text, err := yaml.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			f(path, v, value, text)
		}
		set(v)
		switch v := v.(type) {
		case []any:
			for i, item := range v {
				visit(fmt.Sprintf("%s[%d]", path, i), item, func(to any) { v[i] = to })
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(path+"."+key, v[key], func(to any) { v[key] = to })
			}
		}
	}
	all, _ := root.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		visit(key, all[key], func(to any) { all[key] = to })
	}
}

// onePixel is the smallest picture.
func onePixel(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
