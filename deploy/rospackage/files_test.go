// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/web"
)

const root = "../../deploy/ros"

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func readYAML(t *testing.T, path string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(read(t, path)), &out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out
}

// at walks into nested maps.
func at(t *testing.T, m map[string]any, path ...string) any {
	t.Helper()
	var v any = m
	for _, key := range path {
		next, ok := v.(map[string]any)
		if !ok || next[key] == nil {
			t.Fatalf("no %q in %v", key, path)
		}
		v = next[key]
	}
	return v
}

// manifest is package.xml.
type manifest struct {
	Format  string   `xml:"format,attr"`
	Name    string   `xml:"name"`
	License string   `xml:"license"`
	Depend  []string `xml:"depend"`
	Exec    []string `xml:"exec_depend"`
	Tool    []string `xml:"buildtool_depend"`
	Build   string   `xml:"export>build_type"`
}

func TestManifest(t *testing.T) {
	var m manifest
	if err := xml.Unmarshal([]byte(read(t, "package.xml")), &m); err != nil {
		t.Fatal(err)
	}
	if m.Format != "3" || m.Name != "epuck_driver" || m.License != "Apache-2.0" || m.Build != "ament_cmake" || !slices.Contains(m.Tool, "ament_cmake") {
		t.Errorf("manifest %+v", m)
	}
	needed := map[string]bool{
		"std_srvs": true, "rcl_interfaces": true,
		"simulation_interfaces": true, "visualization_msgs": true, // of the simulator
	}
	for _, topic := range table.Topics() {
		for _, typ := range []string{topic.Type, topic.AltType} {
			if pkg, _, found := strings.Cut(typ, "/"); found {
				needed[pkg] = true
			}
		}
	}
	for pkg := range needed {
		if !slices.Contains(m.Exec, pkg) && !slices.Contains(m.Depend, pkg) {
			t.Errorf("package.xml does not depend on %s, whose messages the driver has", pkg)
		}
	}
}

// TestInstalledFilesExist: what CMakeLists.txt installs and runs is there.
func TestInstalledFilesExist(t *testing.T) {
	cmake := read(t, "CMakeLists.txt")
	dirs := regexp.MustCompile(`install\(DIRECTORY ([a-z0-9_ ]+) DESTINATION`).FindStringSubmatch(cmake)
	if dirs == nil {
		t.Fatal("no install(DIRECTORY …)")
	}
	for _, dir := range strings.Fields(dirs[1]) {
		if entries, err := os.ReadDir(filepath.Join(root, dir)); err != nil || len(entries) == 0 {
			t.Errorf("%s is installed and empty: %v", dir, err)
		}
	}
	for _, script := range regexp.MustCompile(`\$\{repository\}/([A-Za-z0-9./_-]+)`).FindAllStringSubmatch(cmake, -1) {
		if _, err := os.Stat(filepath.Join(root, "..", "..", script[1])); err != nil {
			t.Error(err)
		}
	}
	for _, pkg := range regexp.MustCompile(`ament_python_install_package\(([a-z_]+)\)`).FindAllStringSubmatch(cmake, -1) {
		if _, err := os.Stat(filepath.Join(root, pkg[1], "__init__.py")); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(cmake, "lib/${PROJECT_NAME} RENAME epuck-driver") {
		t.Error("the program is not installed where ros2 run looks for it")
	}
}

func TestLaunchFilesCompile(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "launch", "*.launch.py"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d launch files, %v", len(files), err)
	}
	python, err := filepath.Glob(filepath.Join(root, "epuck_fixed_order", "*.py"))
	if err != nil || len(python) < 3 {
		t.Fatalf("%d Python files, %v", len(python), err)
	}
	for _, file := range append(files, python...) {
		// compile() and not py_compile, which leaves files behind.
		cmd := exec.CommandContext(t.Context(), "python3", "-c", "import sys; compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')", file)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// TestLaunchAgreesWithTheProgram: what robot.launch.py gives the program, the program knows.
func TestLaunchAgreesWithTheProgram(t *testing.T) {
	launch := read(t, "launch/robot.launch.py")
	for _, p := range regexp.MustCompile(`(?m)^            '([a-z_]+)': value\(`).FindAllStringSubmatch(launch, -1) {
		if !hasParameter(p[1]) {
			t.Errorf("the driver has no parameter %q", p[1])
		}
	}
	defaults := map[string]string{}
	for _, a := range regexp.MustCompile(`(?m)^    \('([a-z_]+)', '([^']*)', '`).FindAllStringSubmatch(launch, -1) {
		defaults[a[1]] = a[2]
	}
	for _, want := range []string{"namespace", "transport", "use_sim_time", "simulated", "rviz"} {
		if _, ok := defaults[want]; !ok {
			t.Errorf("robot.launch.py has no argument %s", want)
		}
	}
	if !slices.Contains(sim.ExampleWorlds(), defaults["world"]) || defaults["transport"] != "rtps" {
		t.Errorf("defaults %v", defaults)
	}
}

func hasParameter(name string) bool {
	return slices.ContainsFunc(table.Parameters(), func(p table.Parameter) bool { return p.Name == name }) ||
		slices.ContainsFunc(web.Parameters(), func(p ros2.ParameterDescriptor) bool { return p.Name == name })
}

// TestParameterFile: every name in it is the driver's.
func TestParameterFile(t *testing.T) {
	parameters, ok := at(t, readYAML(t, "config/params.yaml"), "/**", "ros__parameters").(map[string]any)
	if !ok || len(parameters) == 0 {
		t.Fatal("no parameters")
	}
	for name := range parameters {
		if !hasParameter(name) {
			t.Errorf("the driver has no parameter %q", name)
		}
	}
}

func TestDescriptionIsWellFormed(t *testing.T) {
	var robot struct {
		Links []struct {
			Name string `xml:"name,attr"`
		} `xml:"link"`
		Joints []struct {
			Parent struct {
				Link string `xml:"link,attr"`
			} `xml:"parent"`
		} `xml:"joint"`
	}
	if err := xml.Unmarshal([]byte(read(t, "urdf/epuck.urdf")), &robot); err != nil {
		t.Fatal(err)
	}
	links := map[string]bool{}
	for _, l := range robot.Links {
		links[l.Name] = true
	}
	for _, want := range []string{"base_link", "left_wheel", "laser_scanner", "camera_optical_frame", "base_footprint"} {
		if !links[want] {
			t.Errorf("no link %s", want)
		}
	}
	for _, j := range robot.Joints {
		if !links[j.Parent.Link] {
			t.Errorf("a joint hangs on %q, which is no link", j.Parent.Link)
		}
	}
}
