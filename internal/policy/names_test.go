// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// vague are verbs that meant something else in every folder: store, decode, publish, subscribe, say what happens.
var vague = []string{"take", "tell", "look", "note", "serve", "own", "follow"}

// oneThing are names of types that are one thing each: where they may be declared. A type that is something else has a
// name of its own, even in a folder where no other is in sight.
var oneThing = map[string][]string{
	"Sample":   {"ros2", "ros2/rtps"},              // a message as it travels, of the client library and of DDS
	"endpoint": {"ros2"},                           // what publishers and subscriptions share
	"Network":  {"ros2/rtps/udp", "ros2/ros2test"}, // opens what messages travel by: sockets, memory
	"network":  {},
	"sample":   {},
}

// TestNamesSayWhatHappens: no function and no method is named by a vague verb alone.
func TestNamesSayWhatHappens(t *testing.T) {
	eachDeclaration(t, func(folder, place string, d ast.Decl) {
		if f, ok := d.(*ast.FuncDecl); ok && slices.Contains(vague, f.Name.Name) {
			t.Errorf("%s: %s says nothing: which verb says what happens?", place, f.Name.Name)
		}
	})
}

// TestOneWordForAThing: the types of oneThing are declared where the list says, and there.
func TestOneWordForAThing(t *testing.T) {
	found := map[string]bool{}
	eachDeclaration(t, func(folder, place string, d ast.Decl) {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			return
		}
		for _, s := range g.Specs {
			name := s.(*ast.TypeSpec).Name.Name
			folders, listed := oneThing[name]
			if !listed {
				continue
			}
			found[name+" of "+folder] = true
			if !slices.Contains(folders, folder) {
				t.Errorf("%s: type %s is something else in %v", place, name, folders)
			}
		}
	})
	for name, folders := range oneThing {
		for _, folder := range folders {
			if !found[name+" of "+folder] {
				t.Errorf("%s declares no type %s any more", folder, name)
			}
		}
	}
}

// eachDeclaration calls f with the declarations of all files that are neither tests nor generated.
func eachDeclaration(t *testing.T, f func(folder, place string, d ast.Decl)) {
	t.Helper()
	for _, s := range sources(t) {
		if s.test || s.gen {
			continue
		}
		for _, d := range s.ast.Decls {
			f(s.folder, s.path, d)
		}
	}
}
