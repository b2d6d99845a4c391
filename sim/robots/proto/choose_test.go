// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// versioned is a PROTO as Webots' e-puck is written: template code chooses by the header's fields.
const versioned = `#VRML_SIM R2023b utf8
PROTO Versioned [
  field SFString{"1", "2"} version "1"
  field SFBool kinematic FALSE
  field SFInt32 rays 3
]
{
%<
  const v1 = fields.version.value === '1';
  const v2 = fields.version.value === '2';
  const kinematic = fields.kinematic.value;
>%
Robot {
  %< if (v2) { >%
    name "two" # a comment
  %< } else if (v1) { >%
    name "one"
  %< } else { >%
    name "none"
  %< } >%
  children [
    %< if (!kinematic && (v1 || fields.rays.value > 5)) { >%
      Gyro { name "gyro" }
      %< if (v2) { >% Compass { name "compass" } %< } >%
    %< } >%
    %< if (fields.rays.value != 4) { if (v2) { >%
      Accelerometer { name "second" }
    %< } else { >%
      Accelerometer { name "first" }
    %< } } >%
  ]
}
}
`

// Template code is followed where the defaults of the header's fields decide it; what it leaves out is listed.
func TestTemplatesChooseByFields(t *testing.T) {
	for _, c := range []struct{ old, replacement, name, devices string }{
		{"", "", "one", "gyro first"},
		{`version "1"`, `version "2"`, "two", "second"},
		{`version "1"`, `version "3"`, "none", "first"},
		{"kinematic FALSE", "kinematic TRUE", "one", "first"},
		{"rays 3", "rays 4", "one", "gyro"},
		{`"1"` + "\n", `"2"` + "\n  field SFInt32 more 1\n", "two", "second"},
	} {
		text := strings.Replace(versioned, c.old, c.replacement, 1)
		r, err := proto.Parse("it", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", c.replacement, err)
			continue
		}
		var devices []string
		for _, d := range r.Devices {
			devices = append(devices, d.Name)
		}
		if r.Name != c.name || strings.Join(devices, " ") != c.devices {
			t.Errorf("%s: %q with %v, want %q with %s", c.replacement, r.Name, devices, c.name, c.devices)
		}
		if !strings.Contains(remarks(r), "the defaults of the PROTO's fields leave out") {
			t.Errorf("%s: what is left out is not listed:\n%s", c.replacement, remarks(r))
		}
	}
}

// What can't be decided is refused with its line.
func TestTemplatesThatCanNotBeDecided(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{"if (v2)", "if (v3)", "it:14: it chooses or repeats"},
		{"if (v2)", "if (v2 === 1)", "it:14: it chooses or repeats"},
		{"if (v2)", "if (Math.random() > 0.5)", "it:14: it chooses or repeats"},
		{"if (v2)", "if (v2", "it:14: it chooses or repeats"},
		{"if (v2)", "if (fields.nothing.value)", "it:14: it chooses or repeats"},
		{"if (v2)", "if (" + strings.Repeat("!", 30) + "v2)", "it:14: it chooses or repeats"},
		{"else if (v1)", "else if (v4)", "it:16: it chooses or repeats"},
		{"const v1 = f", "const v2 = f", "it:14: it chooses or repeats"},
		{"const v1 = fields.version.value === '1'", "const v1 = v1", "it:16: it chooses or repeats"},
		{"%< } } >%", "%< } >%", "an if without its end"},
		{"%< } } >%", "%< } } } >%", "it ends what was begun"},
		{"%< } else { >%\n    name", "%< for (;;) { >%\n    name", "it chooses or repeats"},
	} {
		text := strings.Replace(versioned, c.old, c.replacement, 1)
		_, err := proto.Parse("it", []byte(text))
		if err == nil || !errors.Is(err, proto.ErrTemplate) && !errors.Is(err, proto.ErrSyntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.replacement, err, c.want)
		}
	}
}

// TestWebotsOwnEpuck reads Webots' E-puck.proto, whose licence keeps it out of this project: EPUCK_PROTO=E-puck.proto.
func TestWebotsOwnEpuck(t *testing.T) {
	path := os.Getenv("EPUCK_PROTO")
	if path == "" {
		t.Skip("EPUCK_PROTO names no file")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for version, devices := range map[string]int{`version                      "1"`: 28, `version                      "2"`: 29} {
		changed := strings.Replace(string(text), `version                      "1"`, version, 1)
		r, err := proto.Parse("E-puck.proto", []byte(changed))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Links) != 3 || len(r.Joints) != 2 || len(r.Devices) != devices || r.Drive == nil || r.Drive.Radius != 0.02 || r.Drive.Separation != 0.052 {
			t.Errorf("%s: %d links, %d joints, %d devices, drive %+v", version, len(r.Links), len(r.Joints), len(r.Devices), r.Drive)
		}
	}
}
