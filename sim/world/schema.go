// SPDX-License-Identifier: Apache-2.0

package world

import (
	"encoding"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
)

// mismatch returns the first field of a file that a type does not have, or whose value it can't hold; nil if there is
// none. The decoder's own words for it are those of Go.
func mismatch(n *yaml.Node, t reflect.Type, path []any) error {
	n = resolve(n)
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		return mismatch(n, t.Elem(), path)
	}
	value := reflect.New(t)
	if u, ok := value.Interface().(yaml.Unmarshaler); ok {
		if err := u.UnmarshalYAML(n); err != nil {
			return errorAt(n, path, "%s", lastPart(err.Error()))
		}
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		if _, text := value.Interface().(encoding.TextUnmarshaler); !text {
			return mismatchedFields(n, t, path)
		}
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			return errorAt(n, path, "must be a list")
		}
		return mismatchedItems(n, t.Elem(), path)
	case reflect.Array:
		if n.Kind != yaml.SequenceNode || len(n.Content) != t.Len() {
			return errorAt(n, path, "must be a list of %d", t.Len())
		}
		return mismatchedItems(n, t.Elem(), path)
	}
	return mismatchedScalar(n, value, path)
}

// mismatchedItems returns what is wrong with the items of a list.
func mismatchedItems(n *yaml.Node, t reflect.Type, path []any) error {
	for i, item := range n.Content {
		if err := mismatch(item, t, append(path[:len(path):len(path)], i)); err != nil {
			return err
		}
	}
	return nil
}

// mismatchedFields returns what is wrong with a mapping that is to be a struct. What a merge key brings in is looked at
// where it is written.
func mismatchedFields(n *yaml.Node, t reflect.Type, path []any) error {
	if n.Kind != yaml.MappingNode {
		return errorAt(n, path, "must be a mapping of fields, such as {%s: …}", fieldNames(t)[0])
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		here := append(path[:len(path):len(path)], key.Value)
		field, known := fieldType(t, key.Value)
		switch {
		case key.Tag == "!!merge":
			continue
		case !known:
			return errorAt(key, here, "there is no such field%s", hint(key.Value, fieldNames(t)))
		}
		if err := mismatch(value, field, here); err != nil {
			return err
		}
	}
	return nil
}

// mismatchedScalar returns what is wrong with a single value.
func mismatchedScalar(n *yaml.Node, value reflect.Value, path []any) error {
	kinds := map[reflect.Kind]string{
		reflect.Float64: "a number", reflect.Int: "a whole number", reflect.Uint64: "a whole number", reflect.Bool: "true or false",
	}
	want, ok := kinds[value.Elem().Kind()]
	if !ok {
		want = "a text"
	}
	if n.Kind != yaml.ScalarNode {
		return errorAt(n, path, "must be %s", want)
	}
	err := n.Decode(value.Interface())
	_, fraction, _ := strings.Cut(n.Value, ".")
	switch {
	case err == nil && value.Elem().Kind() == reflect.Int && strings.Trim(fraction, "0") != "": // it was cut off
	case err == nil:
		return nil
	case value.Elem().Kind() == reflect.Struct: // says itself what it wants
		return errorAt(n, path, "%s", strings.TrimPrefix(err.Error(), ErrWorld.Error()+": "))
	}
	return errorAt(n, path, "must be %s, is %q", want, n.Value)
}

// hint proposes what a misspelled name may have meant, or says what there is.
func hint(name string, names []string) string {
	if near := suggest.DidYouMean(name, names); near != "" {
		return near
	}
	return "; there are " + strings.Join(names, ", ")
}

// fieldNames returns the names that fields of a struct have in files.
func fieldNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			names = append(names, fieldNames(t.Field(i).Type)...)
		case name != "-":
			names = append(names, name)
		}
	}
	return names
}

// fieldType returns the type of the field that has a name in files.
func fieldType(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if options == "inline" {
			if found, ok := fieldType(t.Field(i).Type, key); ok {
				return found, true
			}
		}
		if name == key && name != "-" && name != "" {
			return t.Field(i).Type, true
		}
	}
	return nil, false
}

// lastPart returns a text without the line before it.
func lastPart(text string) string {
	return text[strings.LastIndex(text, ": ")+len(": ")*min(1, strings.Count(text, ": ")):]
}
