// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

// ServiceEventSuffix is the suffix of a topic with a service's events.
const ServiceEventSuffix = "/_service_event"

// ServiceOf returns the service whose events a topic has.
func ServiceOf(topic, rosType string) (name, serviceType string, ok bool) {
	name, isEvents := strings.CutSuffix(topic, ServiceEventSuffix)
	serviceType, isEvent := strings.CutSuffix(rosType, "_Event")
	return name, serviceType, isEvents && isEvent && name != ""
}

// WriteInfo writes the output of "ros2 bag info", times in the zone loc, with control characters escaped. sizes, if
// not nil, are added as --verbose does.
func (b *Bag) WriteInfo(w io.Writer, loc *time.Location, sizes map[*Topic]uint64) error {
	start, end := b.Span()
	distribution := printable.Line(b.Distribution)
	if distribution == "" {
		distribution = "unknown"
	}
	var topics, services []string
	var events uint64
	for _, t := range b.topics {
		size := ""
		if sizes != nil {
			size = " | Size Contribution: " + SizeText(int64(sizes[t]))
		}
		of, kind, format := printable.Line(t.Name), printable.Line(t.Type), printable.Line(t.Format)
		if name, typ, ok := ServiceOf(of, kind); ok {
			services = append(services, fmt.Sprintf("Service: %s | Type: %s | Event Count: %d%s | Serialization Format: %s", name, typ, t.Messages, size, format))
			events += t.Messages
			continue
		}
		topics = append(topics, fmt.Sprintf("Topic: %s | Type: %s | Count: %d%s | Serialization Format: %s", of, kind, t.Messages, size, format))
	}
	var files []string
	for _, f := range b.files {
		files = append(files, printable.Line(f.Path))
	}
	_, err := fmt.Fprintf(w, "\nFiles:             %s\nBag size:          %s\nStorage id:        %s\nROS Distro:        %s\nDuration:          %ss\n"+
		"Start:             %s\nEnd:               %s\nMessages:          %d\nTopic information: %s\nService:           %d\nService information: %s\n",
		column(files, 19), SizeText(b.Size()), b.Storage, distribution, seconds(end-start), moment(start, loc), moment(end, loc),
		b.Count()-events, column(topics, 19), len(services), column(services, 21))
	return err
}

// column joins lines in a column with the given indent.
func column(lines []string, indent int) string {
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

// seconds formats a time with a single sign; times before 1970 occur in damaged bags.
func seconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%09d", sign, abs(ns/1e9), abs(ns%1e9))
}

func abs(n int64) int64 { return max(n, -n) }

func moment(ns int64, loc *time.Location) string {
	return fmt.Sprintf("%s (%s)", time.Unix(0, ns).In(loc).Format("Jan _2 2006 15:04:05.000000000"), seconds(ns))
}

// SizeText writes a number of bytes as rosbag2 does, as in "1.5 MiB".
func SizeText(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v := float64(n)
	for _, unit := range []string{"KiB", "MiB", "GiB"} {
		if v /= 1024; v < 1024 {
			return fmt.Sprintf("%.1f %s", v, unit)
		}
	}
	return fmt.Sprintf("%.1f TiB", v/1024)
}

// information is the format of --json.
type information struct {
	Files        []fileInformation  `json:"files"`
	Size         int64              `json:"size_bytes"`
	Storage      string             `json:"storage"`
	Distribution string             `json:"ros_distro"`
	Duration     float64            `json:"duration_s"`
	Start        int64              `json:"start_ns"`
	End          int64              `json:"end_ns"`
	Messages     uint64             `json:"messages"`
	Topics       []topicInformation `json:"topics"`
	Custom       map[string]string  `json:"custom_data,omitempty"`
	Interrupted  []string           `json:"interrupted,omitempty"`
	Damage       []string           `json:"damage,omitempty"`
	Remarks      []string           `json:"remarks,omitempty"`
}

type fileInformation struct {
	Path     string `json:"path"`
	Size     int64  `json:"size_bytes"`
	Messages uint64 `json:"messages"`
	Start    int64  `json:"start_ns"`
	End      int64  `json:"end_ns"`
}

type topicInformation struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Hash     string `json:"type_hash,omitempty"`
	Format   string `json:"serialization_format"`
	Messages uint64 `json:"messages"`
	Size     uint64 `json:"size_bytes,omitempty"`
	QoS      string `json:"offered_qos,omitempty"`
	Defined  bool   `json:"has_definition"`
}

// JSON returns the information of WriteInfo, and more, as JSON; times in ns since 1970. remarks are those of [Inspect].
func (b *Bag) JSON(sizes map[*Topic]uint64, remarks []string) ([]byte, error) {
	start, end := b.Span()
	out := information{
		Files: []fileInformation{}, Size: b.Size(), Storage: b.Storage, Distribution: b.Distribution, Duration: float64(end-start) / 1e9,
		Start: start, End: end, Messages: b.Count(), Topics: []topicInformation{}, Custom: b.Custom, Interrupted: b.Interrupted, Damage: b.Damage,
		Remarks: remarks,
	}
	for _, f := range b.files {
		out.Files = append(out.Files, fileInformation(f))
	}
	for _, t := range b.topics {
		qos := make([]string, 0, len(t.QoS))
		for _, q := range t.QoS {
			qos = append(qos, q.String())
		}
		out.Topics = append(out.Topics, topicInformation{
			t.Name, t.Type, t.Hash, t.Format, t.Messages, sizes[t], strings.Join(qos, "; "), t.SchemaEncoding != "",
		})
	}
	return json.MarshalIndent(out, "", "  ")
}
