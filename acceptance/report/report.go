// SPDX-License-Identifier: Apache-2.0

// Package report writes the result of an acceptance test as one file, reads it and compares two of them.
//
// A report is a zip archive:
//
//	report.html         a page for a browser
//	report.json         the same for programs
//	report.schema.json  the JSON schema of report.json
//	recording.epr       transfers on both buses, readings of the clock, the person's answers: [NewReplay]
//
// It holds no secrets: neither passwords, keys nor parameters; the computer's serial number is a hash.
package report

import (
	"archive/zip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// Format is the version of report.json that this package writes and reads.
const Format = 1

// recordingName is the name of the recording in the archive.
const recordingName = "recording.epr"

// maxJSON is the maximum size of a report.json, bytes.
const maxJSON = 8 << 20

// ErrFormat is matched when a file is not a report of this format.
var ErrFormat = errors.New("report: not an acceptance report")

//go:embed report.schema.json
var schema []byte

// Report is the outcome of a test.
type Report struct {
	Format    int             `json:"format"`
	Time      time.Time       `json:"time"`
	Program   string          `json:"program"`            // version of this program
	Computer  string          `json:"computer,omitempty"` // model of the robot's computer
	Kernel    string          `json:"kernel,omitempty"`
	Serial    string          `json:"serial_sha256,omitempty"` // first 16 hex digits of the hash of the serial number
	Simulated bool            `json:"simulated"`
	Quick     bool            `json:"quick"`
	Ended     string          `json:"ended,omitempty"` // why the test ended early
	Results   []checks.Result `json:"results"`
}

// member reads a file of an archive, at most most bytes.
func member(z *zip.Reader, name string, most int64) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read only
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return data, nil
}

// ReadRecording reads the recording of a report of size bytes. The error matches [ErrRecording].
func ReadRecording(file io.ReaderAt, size int64) (*Replay, error) {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecording, err)
	}
	data, err := member(z, recordingName, maxRecording)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecording, err)
	}
	return NewReplay(data)
}

// Describe sets model, kernel and hashed serial number of a computer from its files.
func (r *Report) Describe(files fs.FS) {
	r.Computer = text(files, "proc/device-tree/model")
	r.Kernel = text(files, "proc/sys/kernel/osrelease")
	if serial := text(files, "proc/device-tree/serial-number"); serial != "" {
		sum := sha256.Sum256([]byte(serial))
		r.Serial = hex.EncodeToString(sum[:8])
	}
}

// text returns the content of a small file without trailing zeros and white space; empty if it can't be read.
func text(files fs.FS, name string) string {
	b, err := fs.ReadFile(files, name)
	if err != nil {
		return ""
	}
	return strings.Trim(string(b), "\x00\n ")
}

// Write writes a report with the recording of the bus, which may be empty.
func Write(w io.Writer, r *Report, recording []byte) error {
	r.Format = Format
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	z := zip.NewWriter(w)
	for _, f := range []struct {
		name string
		data []byte
	}{{"report.html", page(r)}, {"report.json", data}, {"report.schema.json", schema}, {recordingName, recording}} {
		out, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.Time})
		if err == nil {
			_, err = out.Write(f.data)
		}
		if err != nil {
			return fmt.Errorf("report: %s: %w", f.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// ReadFile reads a report. The error matches [ErrFormat] for a file of another kind or format, or a damaged one.
func ReadFile(path string) (*Report, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read only
	s, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := Read(f, s.Size())
	if err != nil {
		return nil, filekind.Explain(path, fmt.Errorf("%s: %w", path, err), filekind.ZIP)
	}
	return r, nil
}

// Read reads a report of size bytes. The error matches [ErrFormat].
func Read(file io.ReaderAt, size int64) (*Report, error) {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	data, err := member(z, "report.json", maxJSON)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if r.Format != Format {
		return nil, fmt.Errorf("%w: format %d, not %d", ErrFormat, r.Format, Format)
	}
	return &r, nil
}
