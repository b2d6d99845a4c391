// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"errors"
	"go/parser"
	"go/token"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

// FuzzGenerate: for any definition that parses the generated Go is well-formed, or the error concerns the definition.
func FuzzGenerate(f *testing.F) {
	f.Add("# doc\n\nuint8 A = 1 # one\nInner[<=2] inner # two\nstring<=3 s \"x\"\n")
	f.Add("float32[3] f [1.5, -0.0, 1e9]\nbool[] b [true]\nint64 i -9223372036854775808\n")
	f.Add("T t\n")
	f.Add("bool a1\nbool a_1")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := gen.Generate(tree(map[string]string{
			"a_msgs/msg/T.msg":     text,
			"a_msgs/msg/Inner.msg": "int8 a 1\n",
		}), gen.Options{Module: "m"})
		if err != nil {
			var syntax *idl.Error
			if !errors.As(err, &syntax) && !errors.Is(err, gen.ErrClash) && !errors.Is(err, gen.ErrCycle) && !errors.Is(err, rihs.ErrUnknownType) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for name, file := range files {
			if _, err := parser.ParseFile(token.NewFileSet(), name, file, parser.SkipObjectResolution); err != nil {
				t.Fatalf("%q: %v\n%s", text, err, file)
			}
		}
	})
}
