// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
)

// tested is the report of a quick test of a simulated robot, and its recording.
func tested(t *testing.T, faults ...string) (*report.Report, []byte) {
	t.Helper()
	r, err := simulated.New(1, faults...)
	if err != nil {
		t.Fatal(err)
	}
	robot, person, rec := report.Record(r.Tested, r)
	out := &report.Report{Quick: true, Simulated: true, Time: r.Tested.Now()}
	out.Results, err = checks.Run(context.Background(), robot, person, checks.Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	return out, rec.Bytes()
}

func TestReportIsReadAsItWasWritten(t *testing.T) {
	r, recording := tested(t)
	secret := "00000000deadbeef"
	r.Describe(fstest.MapFS{"proc/device-tree/serial-number": {Data: []byte(secret + "\x00")}, "proc/device-tree/model": {Data: []byte("Raspberry <Pi>\x00")}})
	var file bytes.Buffer
	if err := report.Write(&file, r, recording); err != nil {
		t.Fatal(err)
	}
	got, err := report.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Computer != "Raspberry <Pi>" || len(got.Serial) != 16 || strings.Contains(got.Serial, "deadbeef") {
		t.Errorf("computer %q, serial %q", got.Computer, got.Serial)
	}
	if !slices.EqualFunc(got.Results, r.Results, func(a, b checks.Result) bool {
		return a.Name == b.Name && a.Verdict == b.Verdict && slices.Equal(a.Measurements, b.Measurements)
	}) {
		t.Error("the results differ")
	}
	if _, err := report.ReadRecording(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
		t.Error(err)
	}
}

func TestEveryExpectationHasASource(t *testing.T) {
	r, _ := tested(t)
	for _, c := range r.Results {
		for _, m := range c.Measurements {
			if m.Source == "" || m.Low > m.High {
				t.Errorf("%s: %s: source %q, %g to %g", c.Name, m.Name, m.Source, m.Low, m.High)
			}
		}
	}
}

func TestCompareShowsTheDifference(t *testing.T) {
	a, _ := tested(t)
	b, _ := tested(t, "left-counter-stuck")
	var out bytes.Buffer
	if err := report.Compare(&out, a, b, func(s string) string { return s }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"wheels: passed, failed (left-counter-stuck)", "left counter, left wheel commanded"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// archive is a zip file with one member.
func archive(t *testing.T, name, text string) []byte {
	t.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestReadRefusesOtherFiles(t *testing.T) {
	for name, file := range map[string][]byte{
		"nothing":          nil,
		"text":             []byte("no archive"),
		"another archive":  archive(t, "readme.txt", "hello"),
		"not JSON":         archive(t, "report.json", "{"),
		"other JSON":       archive(t, "report.json", `{"name": "x"}`),
		"format 0":         archive(t, "report.json", `{"format": 0, "results": []}`),
		"a later format":   archive(t, "report.json", `{"format": 99, "results": []}`),
		"a value too much": archive(t, "report.json", `{"format": 1, "results": [{"measurements": [{"value": 1e999}]}]}`),
		"text as a value":  archive(t, "report.json", `{"format": 1, "results": [{"measurements": [{"value": "1"}]}]}`),
	} {
		if _, err := report.Read(bytes.NewReader(file), int64(len(file))); !errors.Is(err, report.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamagedReportsAreRefused cuts a report and changes bytes of its JSON, which the archive's checksum shows.
func TestDamagedReportsAreRefused(t *testing.T) {
	var file bytes.Buffer
	if err := report.Write(&file, &report.Report{Results: []checks.Result{{Name: "idle"}}}, nil); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	for _, n := range []int{1, 30, len(whole) / 2, len(whole) - 1} {
		if _, err := report.Read(bytes.NewReader(whole[:n]), int64(n)); !errors.Is(err, report.ErrFormat) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
	at := bytes.Index(whole, []byte("report.json")) + len("report.json")
	for i := range 40 {
		changed := bytes.Clone(whole)
		changed[at+i] ^= 0x55
		if _, err := report.Read(bytes.NewReader(changed), int64(len(changed))); !errors.Is(err, report.ErrFormat) {
			t.Errorf("byte %d changed: %v", at+i, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	if err := report.Write(&file, &report.Report{Results: []checks.Result{{Name: "idle"}}}, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := report.Read(bytes.NewReader(b), int64(len(b))); (r == nil) != (err != nil) || err != nil && !errors.Is(err, report.ErrFormat) {
			t.Errorf("%v, %v", r, err)
		}
	})
}
