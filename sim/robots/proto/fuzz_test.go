// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// Whatever the text: a robot that can be, whose frames are somewhere, or an error with the file's name.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"pucklike.proto", "khepelike.wbt"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(in("Hinge2Joint { jointParameters HingeJointParameters { position 1 } endPoint DEF A Solid { } } USE A USE A")))
	f.Add([]byte(in("%< a; >% Transform { scale 2 2 1 children [ Shape { geometry Capsule { } } ] } # %<")))
	f.Add([]byte(versioned))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := proto.Parse("it", text)
		if err != nil {
			known := slices.ContainsFunc([]error{proto.ErrSyntax, proto.ErrBound, proto.ErrTemplate, proto.ErrRelease, proto.ErrContent,
				description.ErrValue, description.ErrTree}, func(kind error) bool { return errors.Is(err, kind) })
			if !known || !strings.Contains(err.Error(), "it:") {
				t.Fatalf("%v", err)
			}
			return
		}
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		poses, err := r.Transforms(nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range poses {
			if math.IsNaN(p.Position.X + p.Position.Y + p.Position.Z + p.Rotation.Real) {
				t.Errorf("%s is at %v", name, p)
			}
		}
		lines := 1 + strings.Count(string(text), "\n")
		if !slices.IsSortedFunc(r.Ignored, func(a, b description.Remark) int { return a.Line - b.Line }) {
			t.Errorf("remarks are not in order: %v", r.Ignored)
		}
		for _, i := range r.Ignored {
			if i.Line < 1 || i.Line > lines || i.Text == "" {
				t.Errorf("%+v in a text of %d lines", i, lines)
			}
		}
	})
}
