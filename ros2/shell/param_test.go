// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// declare declares parameters of all kinds on the node.
func (w *world) declare() {
	w.t.Helper()
	for _, d := range []ros2.ParameterDescriptor{
		{Name: "rate", Default: ros2.DoubleValue(20), Description: "How often.", FloatRange: &ros2.FloatRange{From: 1, To: 100, Step: 0.5}},
		{Name: "count", Default: ros2.IntegerValue(3), IntegerRange: ros2.IntegerBetween(0, 10)},
		{Name: "name", Default: ros2.StringValue(`it's: "x"`)},
		{Name: "fixed", Default: ros2.BoolValue(true), ReadOnly: true, Constraints: "never"},
		{Name: "cam.width", Default: ros2.IntegerValue(640)},
		{Name: "cam.deep.flags", Default: ros2.BoolArrayValue([]bool{true, false})},
		{Name: "list.i", Default: ros2.IntegerArrayValue([]int64{1, 2})},
		{Name: "list.d", Default: ros2.DoubleArrayValue([]float64{1.5, 2})},
		{Name: "list.s", Default: ros2.StringArrayValue([]string{"a", "true", ""})},
		{Name: "list.b", Default: ros2.ByteArrayValue([]byte{1, 255})},
		{Name: "dyn", Default: ros2.IntegerValue(1), DynamicTyping: true},
	} {
		if _, err := w.node.DeclareParameter(d); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestParamGet(t *testing.T) {
	inWorld(t, func(w *world) {
		w.declare()
		for name, want := range map[string]string{
			"rate": "Double value is: 20.0\n", "count": "Integer value is: 3\n", "name": "String value is: it's: \"x\"\n",
			"fixed": "Boolean value is: True\n", "cam.deep.flags": "Boolean values are: [True, False]\n",
			"list.i": "Integer values are: array('q', [1, 2])\n", "list.d": "Double values are: array('d', [1.5, 2.0])\n",
			"list.s": "String values are: ['a', 'true', '']\n", "list.b": "Byte values are: [b'\\x01', b'\\xff']\n",
		} {
			w.want("param get robot/driver "+name, want)
		}
		w.want("param get --hide-type /robot/driver rate", "20.0\n")
		w.wantError("param get /robot/driver nope", "Parameter not set\n", 1)
	})
}

func TestParamListAndDescribe(t *testing.T) {
	inWorld(t, func(w *world) {
		w.declare()
		w.want("param list /robot/driver --filter 'cam.*'", "  cam.deep.flags\n  cam.width\n")
		w.want("param list --param-type --filter 'ra|co'", "/robot/driver:\n  count (type: integer)\n  rate (type: double)\n")
		w.want("param list /robot/driver --param-prefixes cam list", "  cam.deep.flags\n  cam.width\n  list.b\n  list.d\n  list.i\n  list.s\n")
		w.want("param describe /robot/driver rate fixed count", `Parameter name: rate
  Type: double
  Description: How often.
  Constraints:
    Min value: 1.0
    Max value: 100.0
    Step: 0.5
Parameter name: fixed
  Type: boolean
  Constraints:
    Read only: true
    Additional constraints: never
Parameter name: count
  Type: integer
  Constraints:
    Min value: 0
    Max value: 10
`)
		w.wantError("param list --filter (", "--filter:", 1)
	})
}

const dumped = `/robot/driver:
  ros__parameters:
    cam:
      deep:
        flags:
        - true
        - false
      width: 640
    count: 3
    dyn: 1
    fixed: true
    list:
      b:
      - !!binary |
        AQ==
      - !!binary |
        /w==
      d:
      - 1.5
      - 2.0
      i:
      - 1
      - 2
      s:
      - a
      - 'true'
      - ''
    name: 'it''s: "x"'
    rate: 20.0
    start_type_description_service: true
    use_sim_time: false

`

func TestParamDump(t *testing.T) {
	inWorld(t, func(w *world) {
		w.declare()
		w.want("param dump /robot/driver", dumped)
	})
}

func TestParamSet(t *testing.T) {
	inWorld(t, func(w *world) {
		w.declare()
		for args, want := range map[string]ros2.ParameterValue{
			"rate 25.5":            ros2.DoubleValue(25.5),
			"count 7":              ros2.IntegerValue(7),
			"name '12 x'":          ros2.StringValue("12 x"),
			"list.i '[4, 5]'":      ros2.IntegerArrayValue([]int64{4, 5}),
			"list.d '[1.0]'":       ros2.DoubleArrayValue([]float64{1}),
			"list.s '[x]'":         ros2.StringArrayValue([]string{"x"}),
			"cam.deep.flags [yes]": ros2.BoolArrayValue([]bool{true}),
			"dyn '[1, a]'":         ros2.StringValue("[1, a]"),
		} {
			w.want("param set /robot/driver "+args, "Set parameter successful\n")
			if got, err := w.node.Parameter(split(args)[0]); err != nil || !got.Equal(want) {
				t.Errorf("%s: %v, %v", args, got, err)
			}
		}
		w.wantError("param set /robot/driver rate 25", "Setting parameter failed: ", 0)
		w.wantError("param set /robot/driver rate 1000.0", "Setting parameter failed: ", 0)
		w.wantError("param set /robot/driver fixed false", "Setting parameter failed: ", 0)
		w.wantError("param set /robot/driver nope 1", "Setting parameter failed: ", 0)
		w.wantError("param delete /robot/driver rate", "Deleting parameter failed: ", 0)
	})
}

func TestParamLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("p.yaml", "/**:\n  ros__parameters:\n    count: 5\n    rate: 2.0\n/robot/driver:\n  ros__parameters:\n    rate: 30.0\n    cam:\n      width: 320\n    nope: 1\n")
	other := write("other.yaml", "/x:\n  ros__parameters: {a: 1}\n/**:\n  ros__parameters: {}\n")
	bad := write("bad.yaml", "/robot/driver: 5\n")
	back := write("dump.yaml", dumped)
	inWorld(t, func(w *world) {
		w.declare()
		r := w.run("param load /robot/driver " + file)
		if r.out != "Set parameter count successful\nSet parameter rate successful\nSet parameter cam.width successful\n" || r.status != 0 || r.err == "" {
			t.Errorf("%+v", r)
		}
		if v, _ := w.node.Parameter("rate"); v.Double() != 30 {
			t.Error("the node's own section does not win:", v)
		}
		w.wantError("param load --no-use-wildcard /robot/driver "+other, "Param file does not contain parameters for /robot/driver, only for nodes: /x, /**\n", 1)
		w.wantError("param load /robot/driver "+bad, "Invalid structure of parameter file", 1)
		w.wantError("param load /robot/driver "+filepath.Join(dir, "none.yaml"), "no such file", 1)
		w.run("param load /robot/driver " + back)
		if v, _ := w.node.Parameter("cam.width"); v.Integer() != 640 {
			t.Error("a dump loads otherwise:", v)
		}
	})
}

// A node that does not respond causes an error after a timeout.
func TestParamTimeout(t *testing.T) {
	inWorld(t, func(w *world) {
		silent := w.join("silent", "/")
		tr, ok := silent.Transport().(ros2.ServiceTransport)
		if !ok {
			t.Fatal("no services")
		}
		server, err := tr.NewServer(ros2.ServerConfig{
			ServiceConfig: ros2.ServiceConfig{Node: ros2.NodeName{Namespace: "/", Name: "mute"}, Name: "/mute/get_parameters", Type: "rcl_interfaces/srv/GetParameters"},
			OnRequest:     func(ros2.Request) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.AddNode(ros2.NodeName{Namespace: "/", Name: "mute"}); err != nil {
			t.Fatal(err)
		}
		w.wantError("param get /mute x", "Wait for service timed out: /mute/get_parameters\n", 1)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		w.wantError("param list /mute", "", 0)
	})
}
