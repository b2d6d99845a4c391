// SPDX-License-Identifier: Apache-2.0

//go:build peers

package order_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rclcppChain builds the chain with rclcpp of the sourced ROS 2.
func rclcppChain(b *testing.B) (program string) {
	b.Helper()
	program = filepath.Join(b.TempDir(), "chain")
	args := []string{"-std=c++17", "-O2", "-o", program, "testdata/rclcpp/chain.cpp"}
	var libraries []string
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		args = append(args, "-I"+filepath.Join(prefix, "include"))
		// Since Humble a package's headers are in include/PACKAGE/PACKAGE.
		packages, err := filepath.Glob(filepath.Join(prefix, "include", "*"))
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range packages {
			if _, err := os.Stat(filepath.Join(p, filepath.Base(p))); err == nil {
				args = append(args, "-I"+p)
			}
		}
		lib := filepath.Join(prefix, "lib")
		libraries = append(libraries, "-L"+lib, "-Wl,-rpath,"+lib, "-Wl,-rpath-link,"+lib)
	}
	args = append(args, libraries...)
	// What rclcpp's headers call of other libraries differs, with tracing and without: the linker finds it by rclcpp.
	args = append(args, "-Wl,--copy-dt-needed-entries", "-lrclcpp", "-lstd_msgs__rosidl_typesupport_cpp", "-lpthread")
	if out, err := exec.CommandContext(b.Context(), "g++", args...).CombinedOutput(); err != nil {
		b.Fatalf("g++: %v\n%s", err, out)
	}
	return program
}

// BenchmarkRclcpp is the chain of BenchmarkChain in rclcpp's single-threaded executor, within the process and by the
// middleware: the peer of its "single-threaded" and "fixed order". It requires a sourced ROS 2.
func BenchmarkRclcpp(b *testing.B) {
	const length = 8
	if os.Getenv("AMENT_PREFIX_PATH") == "" {
		b.Skip("no ROS 2 is sourced: AMENT_PREFIX_PATH is empty")
	}
	program := rclcppChain(b)
	for _, by := range []string{"intra", "rmw"} {
		b.Run(by, func(b *testing.B) {
			out, err := exec.CommandContext(b.Context(), program, strconv.Itoa(length), strconv.Itoa(b.N), by).Output()
			if err != nil {
				b.Fatalf("chain: %v", err)
			}
			took, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			if err != nil {
				b.Fatalf("chain: %v", err)
			}
			b.ReportMetric(took/float64(b.N)*1e9, "ns/op")
			b.ReportMetric(took/float64(b.N*length)*1e9, "ns/callback")
			b.ReportMetric(float64(b.N)/took, "steps/s")
		})
	}
}
