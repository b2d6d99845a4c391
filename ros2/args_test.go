// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestParseArgsSections(t *testing.T) {
	for _, c := range []struct{ line, rest string }{
		{"", ""},
		{"run --seed 3", "run --seed 3"},
		{"run --ros-args -r a:=b", "run"},
		{"--ros-args -r a:=b -- run --for 2s", "run --for 2s"},
		{"a --ros-args --ros-args -p x:=1 -- b --ros-args -- c", "a b c"},
		{"--ros-args", ""},
		{"a -- b", "a -- b"},
		{"--ros-args -r a:=b -- -- x", "-- x"},
		{"--ros-args --remap a:=b --param c:=1 --enclave /e --log-level debug", ""},
		{"--ros-args --remap=a:=b --param=c:=1 -e /e --log-level=debug", ""},
		{"--ros-args --log-config-file f --log-file-name g --enable-external-lib-logs", ""},
	} {
		_, rest, err := ros2.ParseArgs(strings.Fields(c.line))
		if got := strings.Join(rest, " "); err != nil || got != c.rest {
			t.Errorf("%q: rest %q, %v; want %q", c.line, got, err, c.rest)
		}
	}
}

func TestParseArgsErrorsNameTheArgument(t *testing.T) {
	for line, want := range map[string]string{
		"--ros-args run":                    `"run"`,
		"--ros-args -x y":                   `"-x"`,
		"--ros-args -r":                     "-r has no value",
		"--ros-args -p -- x":                "-p has no value",
		"--ros-args -r=a:=b":                `"-r=a:=b"`,
		"--ros-args -r ab":                  "-r ab",
		"--ros-args -r a:=":                 "right side",
		"--ros-args -r :=a":                 "left side",
		"--ros-args -r rosparam://a:=b":     "two slashes",
		"--ros-args -r a*:=b":               "wildcards",
		"--ros-args -r 1n:a:=b":             `"1n"`,
		"--ros-args -r __ns:=robot1":        "does not begin with a slash",
		"--ros-args -r __node:=a/b":         "character 2",
		"--ros-args -p rate":                `want "name:=value"`,
		"--ros-args -p rate:=":              "empty",
		"--ros-args -p :=1":                 "parameter name",
		"--ros-args -p a-b:x:=1":            "character 3",
		"--ros-args -p x:={a:1}":            "scalar",
		"--ros-args -p x:=[1,[2]]":          "element 1",
		"--ros-args -p x:=[":                "-p x:=[",
		"--ros-args --params-file /no/such": "/no/such",
		"--ros-args --log-level loud":       `"loud"`,
		"--ros-args --log-level :=info":     "logger is empty",
		"--ros-args --enclave e":            "does not begin with a slash",
	} {
		_, _, err := ros2.ParseArgs(strings.Fields(line))
		if !errors.Is(err, ros2.ErrArguments) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", line, err, want)
		}
	}
}

func parse(t testing.TB, line string) ros2.Args {
	t.Helper()
	args, _, err := ros2.ParseArgs(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	return args
}

func TestArgsSwitches(t *testing.T) {
	none, all := parse(t, ""), parse(t, "--ros-args -e /sec --disable-rosout-logs --disable-stdout-logs")
	back := parse(t, "--ros-args --disable-rosout-logs --enable-rosout-logs")
	if none.Enclave() != "/" || !none.RosoutLogs() || !none.StdoutLogs() {
		t.Error("defaults")
	}
	if all.Enclave() != "/sec" || all.RosoutLogs() || all.StdoutLogs() || !back.RosoutLogs() {
		t.Error("switched off, and on again")
	}
}

func TestLogLevels(t *testing.T) {
	args := parse(t, "--ros-args --log-level error --log-level robot1:=debug --log-level robot1.b:=fatal --log-level WARN")
	for logger, want := range map[string]slog.Level{
		"x": slog.LevelWarn, "robot1": slog.LevelDebug, "robot1.a": slog.LevelDebug,
		"robot1.b": ros2.LevelFatal, "robot1.b.c": ros2.LevelFatal, "robot10": slog.LevelWarn,
	} {
		if got := args.LogLevel(logger); got != want {
			t.Errorf("level of %s: %v, want %v", logger, got, want)
		}
	}
	if got := parse(t, "").LogLevel("x"); got != slog.LevelInfo {
		t.Errorf("default level %v", got)
	}
}

func TestParamsFileArgument(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(file, []byte("/**: {ros__parameters: {rate: 5, name: file}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Later rules override earlier ones, of whichever kind they are.
	args := parse(t, "--ros-args -p name:=early -p rate:=1 --params-file "+file+" -p rate:=7")
	p := ros2.NewParameters(args, ros2.NodeName{Namespace: "/", Name: "n"})
	rate, err1 := p.Declare(ros2.ParameterDescriptor{Name: "rate", Default: ros2.DoubleValue(20)})
	name, err2 := p.Declare(ros2.ParameterDescriptor{Name: "name", Default: ros2.StringValue("")})
	if err := errors.Join(err1, err2); err != nil || rate.Double() != 7 || name.Str() != "file" {
		t.Errorf("rate %v, name %v, %v", rate, name, err)
	}
	if err := os.WriteFile(file, []byte("n:\n  ros__parameters:\n    x: {a: [{}]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", file})
	if !errors.Is(err, ros2.ErrArguments) || !errors.Is(err, ros2.ErrParamsFile) || !strings.Contains(err.Error(), file+":3:") {
		t.Errorf("error %v, want one with file and line", err)
	}
}

func FuzzParseArgs(f *testing.F) {
	for _, seed := range []string{
		"--ros-args -r a:=b -- x", "--ros-args -p n:a.b:=[1, 2.5]", "--ros-args -r n:__ns:=/x --log-level a:=warn",
		"--ros-args -p 'x:=\"y\"' -e / --enable-rosout-logs", "--ros-args --param=",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "params-file") {
			t.Skip("the file system is no input of this test")
		}
		in := strings.Split(line, " ")
		args, rest, err := ros2.ParseArgs(in)
		if err != nil {
			if !errors.Is(err, ros2.ErrArguments) {
				t.Fatalf("%q: %v is no ErrArguments", in, err)
			}
			return
		}
		for _, r := range rest {
			if !slices.Contains(in, r) {
				t.Fatalf("%q left %q over", in, r)
			}
		}
		if n, err := args.NodeName("n", ""); err == nil {
			if err := ros2.ValidateFullName(n.FullName()); err != nil && len(n.FullName()) < 240 {
				t.Fatalf("%q names the node %q", in, n.FullName())
			}
		}
	})
}
