// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/deploy/card/disk"
)

// blank makes an image of that size.
func blank(t *testing.T, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "card.img")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	return path
}

func must(t *testing.T, in string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTableAndParts(t *testing.T) {
	image := blank(t, 1<<20)
	must(t, "", "table", image, "faaa3c67", "c:8:100", "83:108:200", "83:308:64")
	if got := must(t, "", "parts", image); got != "c 8 100\n83 108 200\n83 308 64\n" {
		t.Error(got)
	}
	if table, err := readTable(image); err != nil || table.ID != 0xfaaa3c67 {
		t.Errorf("%+v, %v", table, err)
	}
}

// The table, whole partitions, and of the last one what is in use.
func TestBmap(t *testing.T) {
	image := blank(t, 1<<20)
	must(t, "", "table", image, "1", "c:8:100", "83:112:200", "83:312:80")
	report := "Block count: 10\nFree blocks: 7\nBlock size: 4096\n\nFree blocks: 2-8\n"
	got := must(t, report, "bmap", image, "1")
	for _, want := range []string{"<ImageSize>1048576<", ">0-13<", ">39-40<", ">48<", "<MappedBlocksCount>17<"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if again := must(t, report, "bmap", image, "1"); again != got {
		t.Error("two maps of one image differ")
	}
}

func TestInitrd(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"first": "#!program", "b.ko": "module b", "a.ko": "module a"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "initrd")
	must(t, "", "initrd", out, filepath.Join(dir, "first"), filepath.Join(dir, "b.ko"), filepath.Join(dir, "a.ko"))
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{"init\x00", "#!program", "modules/01-b.ko", "module b", "modules/02-a.ko", "module a", "TRAILER!!!"} {
		i := bytes.Index(data, []byte(want))
		if i <= at {
			t.Errorf("%q is at %d, after %d", want, i, at)
		}
		at = i
	}
}

func TestRefusals(t *testing.T) {
	image := blank(t, 4096)
	for _, c := range []struct {
		args string
		want error
	}{
		{"", errUsage}, {"table", errUsage}, {"dance x", errUsage}, {"initrd x", errUsage},
		{"table " + image + " 1", errUsage},
		{"table " + image + " x c:8:1", nil}, {"table " + image + " 1 c:8", nil},
		{"table " + image + " 1 c:0:8", disk.ErrTable}, {"table " + image + " 1 c:8:8 83:9:9", disk.ErrTable},
		{"table " + image + " 1 c:2:2x", nil}, {"table " + image + " 1 c:2:1G", nil}, {"table " + image + " 1 1ff:2:2", nil},
		{"table " + image + " 1 c:2:4294967296", nil}, {"table " + image + " 1 c:-2:2", nil}, {"table " + image + " 123456789 c:2:2", nil},
		{"parts " + image, disk.ErrTable}, {"bmap " + image + " 1", disk.ErrTable},
		{"parts /no/such", os.ErrNotExist}, {"table /no/such 1 c:8:8", os.ErrNotExist},
		{"initrd /no/such/place " + image, os.ErrNotExist}, {"initrd " + image + " /no/such", os.ErrNotExist},
	} {
		err := run(strings.Fields(c.args), strings.NewReader(""), &bytes.Buffer{})
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.args, err, c.want)
		}
	}
	must(t, "", "table", image, "1", "c:2:2", "83:4:2")
	for _, number := range []string{"3", "0", "5", "x", "-1"} {
		err := run([]string{"bmap", image, "1", number}, strings.NewReader(""), &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no partition %q", number)) {
			t.Errorf("partition %s: %v", number, err)
		}
	}
	if err := run([]string{"bmap", image}, strings.NewReader("nonsense"), &bytes.Buffer{}); !errors.Is(err, disk.ErrReport) {
		t.Errorf("%v", err)
	}
}
