// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder creates a folder with files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// generate runs the program successfully and returns its log.
func generate(t *testing.T, args ...string) string {
	t.Helper()
	var log bytes.Buffer
	if status := run(args, &log); status != 0 {
		t.Fatalf("%q: status %d, %s", args, status, log.String())
	}
	return log.String()
}

// wants checks that a generated file contains lines.
func wants(t *testing.T, file string, lines ...string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if !strings.Contains(string(text), l) {
			t.Errorf("%s lacks %q:\n%s", file, l, text)
		}
	}
}

// Types of the standard packages are imported from this module and not generated.
func TestStandardTypesBecomeImports(t *testing.T) {
	dir := folder(t, map[string]string{
		"go.mod": "module example.com/m // the module\n", "a_msgs/msg/T.msg": "std_msgs/Header header\nU u\n", "a_msgs/msg/U.msg": "geometry_msgs/Pose[] poses\n",
		"a_msgs/srv/S.srv": "T t\n---\nbool ok\n", "a_msgs/action/A.action": "---\n---\nnav_msgs/Path path\n", "a_msgs/package.xml": "<package/>",
	})
	generate(t, dir)
	wants(t, filepath.Join(dir, "a_msgs/t_gen.go"), `"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"`, "Header std_msgs.Header", "package a_msgs")
	wants(t, filepath.Join(dir, "a_msgs/u_gen.go"), "Poses []geometry_msgs.Pose")
	wants(t, filepath.Join(dir, "a_msgs/s_gen.go"), `return "a_msgs/srv/S_Request"`)
	wants(t, filepath.Join(dir, "a_msgs/a_gen.go"), "Path nav_msgs.Path")
	for _, other := range []string{"std_msgs", "geometry_msgs"} {
		if _, err := os.Stat(filepath.Join(dir, other)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was written: %v", other, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a_msgs/t_gen.go")); err != nil || strings.Contains(string(text), "SPDX") {
		t.Errorf("the file names a licence that the user did not choose: %v", err)
	}
	generate(t, "-licence", "MIT", dir)
	wants(t, filepath.Join(dir, "a_msgs/t_gen.go"), "// SPDX-License-Identifier: MIT\n")
}

// installed is a share folder as in ROS 2 Jazzy: with .idl and .json files for .msg files, and .msg files of request
// and response for .srv files.
func installed(t *testing.T) string {
	return folder(t, map[string]string{
		"b_msgs/msg/B.msg": "c_msgs/C c\nstd_msgs/Header header\n", "b_msgs/msg/B.idl": "module b_msgs {};", "b_msgs/msg/B.json": "{}",
		"b_msgs/msg/Wide.msg": "wstring text\n", "b_msgs/srv/S.srv": "---\nB b\n", "b_msgs/srv/S_Request.msg": "", "b_msgs/package.xml": "",
		"c_msgs/msg/C.msg": "int32 n\n", "c_msgs/msg/Unused.msg": "wstring text\n", "d_msgs/msg/D.msg": "int32 n\n",
		"std_msgs/msg/Header.msg": "int32 another\n",
	})
}

// Referenced packages of a share folder are generated, too; those that this module has are imported from it.
func TestShareFolder(t *testing.T) {
	share := installed(t)
	dir := folder(t, map[string]string{"go.mod": "module \"example.com/m\"\n", "ros/a_msgs/msg/T.msg": "b_msgs/B b\n"})
	log := generate(t, "-share", share, filepath.Join(dir, "ros"))
	wants(t, filepath.Join(dir, "ros/a_msgs/t_gen.go"), `"example.com/m/ros/b_msgs"`, "B b_msgs.B")
	wants(t, filepath.Join(dir, "ros/b_msgs/b_gen.go"), `"example.com/m/ros/c_msgs"`, "Header std_msgs.Header", `"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"`)
	wants(t, filepath.Join(dir, "ros/b_msgs/s_gen.go"), "type SResponse struct")
	wants(t, filepath.Join(dir, "ros/c_msgs/c_gen.go"), "type C struct")
	if _, err := os.Stat(filepath.Join(dir, "ros/d_msgs")); err == nil || log != "" {
		t.Errorf("d_msgs was written, or %q", log)
	}
	if log := generate(t, "-share", share, "-packages", "d_msgs,b_msgs", filepath.Join(dir, "ros")); !strings.Contains(log, "b_msgs/msg/Wide is skipped") {
		t.Errorf("%q", log)
	}
	wants(t, filepath.Join(dir, "ros/d_msgs/d_gen.go"), "type D struct")
}

// Definitions with Go packages in another module are imported.
func TestLibrary(t *testing.T) {
	other := folder(t, map[string]string{"b_msgs/msg/B.msg": "int32 n\n"})
	dir := folder(t, map[string]string{"a_msgs/msg/T.msg": "b_msgs/B b\n"})
	generate(t, "-import", "example.com/m", "-library", "example.com/other/msgs="+other, dir)
	wants(t, filepath.Join(dir, "a_msgs/t_gen.go"), `"example.com/other/msgs/b_msgs"`)
}

func TestErrorsSayWhatIsMissing(t *testing.T) {
	dir := folder(t, map[string]string{"go.mod": "module m\n", "a_msgs/msg/T.msg": "b_msgs/Wide w\n", "empty/x": ""})
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-help"}, 0, "usage: msggen [flags] [DIR]"},
		{[]string{"-nope"}, 2, "-nope"},
		{[]string{"a", "b"}, 2, "usage"},
		{[]string{"-library", "x", dir}, 2, "want IMPORT=FOLDER"},
		{[]string{"-library", "x=/no/such", dir}, 2, "/no/such"},
		{[]string{dir}, 1, "b_msgs/msg/Wide (field a_msgs/msg/T.w)"},
		{[]string{"-share", installed(t), dir}, 1, "wstring"},
		{[]string{"-share", "/no/such", dir}, 1, "-share: stat /no/such"},
		{[]string{"-share", installed(t), "-packages", "z_msgs", dir}, 1, "package z_msgs: no share folder has its msg, srv or action folder"},
		{[]string{filepath.Join(dir, "empty")}, 1, "has no PACKAGE/msg"},
		{[]string{folder(t, nil)}, 1, "no module: run msggen in a Go module, or set -import"},
		{[]string{folder(t, map[string]string{"go.mod": "go 1.26\n"})}, 1, "no module directive"},
	} {
		var log bytes.Buffer
		if status := run(c.args, &log); status != c.status || !strings.Contains(log.String(), c.want) {
			t.Errorf("%q: status %d, %s; want %d, %s", c.args, status, log.String(), c.status, c.want)
		}
	}
}

// The files in the tutorial are those that TestOwnMessagesInSeparateModule (ros2/interop) builds and runs.
func TestTutorialIsTheTestedModule(t *testing.T) {
	tutorial, err := os.ReadFile("../../../docs/tutorial/own-messages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, commands := range []string{"-tool github.com/epuck-ros2/epuck-driver/msgs/cmd/msggen\n    cp ../epuck-driver/go.sum .\n    go list -mod=mod tool\n", "    go list -mod=mod ./..."} {
		if !strings.Contains(string(tutorial), commands) {
			t.Errorf("docs/tutorial/own-messages.md does not have the commands of the test:\n%s", commands)
		}
	}
	root := os.DirFS("testdata/weather")
	files := 0
	err = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := fs.ReadFile(root, path)
		if !strings.Contains(string(tutorial), "`"+path+"`") || !strings.Contains(string(tutorial), "\n"+string(text)+"```") {
			t.Errorf("docs/tutorial/own-messages.md does not show %s as it is", path)
		}
		return err
	})
	if err != nil || files < 8 {
		t.Errorf("%d files, %v", files, err)
	}
}
