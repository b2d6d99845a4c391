// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// resolve returns a type that package msgs knows.
func resolve(t testing.TB, name string) *dynamic.Type {
	t.Helper()
	typ, err := dynamic.Resolve(name, msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// definitions is a Lookup of the given texts by name.
func definitions(texts map[string]string) dynamic.Lookup {
	return func(name string) (string, bool) {
		text, ok := texts[name]
		return text, ok
	}
}

// one resolves a type t/T of one definition.
func one(t testing.TB, definition string) *dynamic.Type {
	t.Helper()
	typ, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": definition}))
	if err != nil {
		t.Fatal(err)
	}
	return typ
}
