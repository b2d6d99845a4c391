// SPDX-License-Identifier: Apache-2.0

package xmltree_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// Faults of the whole robot are placed by the link or the joint that they name first; others in the file.
func TestFaultsArePlaced(t *testing.T) {
	doc, err := xmltree.Parse("it.urdf", []byte("<robot>\n<link name=\"a\"/>\n<model>\n<joint name=\"two &quot;words&quot;\"/>\n"+
		"<link name=\"b\"/>\n<link/>\n<link name=\"b\"/></model>\n</robot>"))
	if err != nil {
		t.Fatal(err)
	}
	kind := errors.New("a fault")
	one := func(text string) error { return fmt.Errorf("%w: %s", kind, text) }
	for _, c := range []struct {
		fault error
		want  string
	}{
		{errors.Join(one(`link "a" hangs on joint "two \"words\""`)), `it.urdf:2: <link>: a fault: link "a" hangs on joint "two \"words\""`},
		{errors.Join(one(`joint "two \"words\"" and link "a"`)), `it.urdf:4: <joint>: a fault: joint "two \"words\"" and link "a"`},
		{errors.Join(one(`link "b" twice`)), `it.urdf:7: <link>: a fault: link "b" twice`},
		{errors.Join(one(`link "c" is not there`), one("no link")), "it.urdf: a fault: link \"c\" is not there\nit.urdf: a fault: no link"},
		{one(`link "a", alone`), `it.urdf: a fault: link "a", alone`},
		{errors.Join(one(`link "\q"`)), `it.urdf: a fault: link "\q"`},
	} {
		if got := doc.In(c.fault); got.Error() != c.want || !errors.Is(got, kind) {
			t.Errorf("%v\nwant %s", got, c.want)
		}
	}
	if err := doc.In(nil); err != nil {
		t.Errorf("no fault: %v", err)
	}
}
