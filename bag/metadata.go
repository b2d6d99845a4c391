// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Version of the metadata that is written: readable from Humble to Jazzy.
const Version = 8

// StorageMCAP is the storage identifier of MCAP files.
const StorageMCAP = "mcap"

// rosbag2's names of the compression of each message.
const (
	formatZstd = "zstd"
	byMessage  = "MESSAGE"
)

// MetadataFile is the name of the file in a bag's folder.
const MetadataFile = "metadata.yaml"

// Metadata is rosbag2's description of a bag, which is read without opening its files.
type Metadata struct {
	Version       int          `yaml:"version"`
	Storage       string       `yaml:"storage_identifier"`
	Duration      nanoseconds  `yaml:"duration"`
	Start         sinceEpoch   `yaml:"starting_time"`
	Messages      uint64       `yaml:"message_count"`
	Topics        []TopicCount `yaml:"topics_with_message_count"`
	Compression   string       `yaml:"compression_format"`
	CompressionBy string       `yaml:"compression_mode"`
	Paths         []string     `yaml:"relative_file_paths"`
	Files         []FileSpan   `yaml:"files"`
	Custom        customData   `yaml:"custom_data"`
	Distribution  string       `yaml:"ros_distro"`
}

// packed reports whether each message is compressed: by the metadata, or, without any, by the messages.
func (m *Metadata) packed(messages func() bool) bool {
	if m == nil {
		return messages()
	}
	return m.CompressionBy == byMessage
}

type nanoseconds struct {
	NS int64 `yaml:"nanoseconds"`
}

type sinceEpoch struct {
	NS int64 `yaml:"nanoseconds_since_epoch"`
}

// TopicCount is a topic and the number of its messages.
type TopicCount struct {
	Topic topicMetadata `yaml:"topic_metadata"`
	Count uint64        `yaml:"message_count"`
}

type topicMetadata struct {
	Name   string   `yaml:"name"`
	Type   string   `yaml:"type"`
	Format string   `yaml:"serialization_format"`
	QoS    profiles `yaml:"offered_qos_profiles"`
	Hash   string   `yaml:"type_description_hash"`
}

// FileSpan is one file of a bag.
type FileSpan struct {
	Path     string      `yaml:"path"`
	Start    sinceEpoch  `yaml:"starting_time"`
	Duration nanoseconds `yaml:"duration"`
	Messages uint64      `yaml:"message_count"`
}

// profiles are written as a text, which all versions read, and read from a text or a list.
type profiles []ros2.QoS

// MarshalYAML writes the text.
func (p profiles) MarshalYAML() (any, error) {
	if len(p) == 0 {
		return "", nil
	}
	return EncodeQoS(p)
}

// UnmarshalYAML reads a text or, from version 9 on, a list.
func (p *profiles) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		list, err := DecodeQoS(n.Value)
		*p = list
		return err
	}
	var list []profile
	if err := n.Decode(&list); err != nil {
		return err
	}
	*p = qosOf(list)
	return nil
}

// customData is quoted so that every text is preserved: the library writes some white space as a block that it cannot
// read.
type customData map[string]string

// MarshalYAML quotes texts that are not plain.
func (c customData) MarshalYAML() (any, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range slices.Sorted(maps.Keys(c)) {
		n.Content = append(n.Content, scalar(key), scalar(c[key]))
	}
	return n, nil
}

func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	if n.Tag == "!!str" && (strings.TrimSpace(text) != text || strings.ContainsFunc(text, odd)) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

type metadataDocument struct {
	Bag *Metadata `yaml:"rosbag2_bagfile_information"`
}

// YAML returns the text of metadata.yaml.
func (m *Metadata) YAML() ([]byte, error) { return yaml.Marshal(metadataDocument{m}) }

// Inner returns the text that is written into MCAP files, without the outermost name.
func (m *Metadata) Inner() (string, error) {
	text, err := yaml.Marshal(m)
	return string(text), err
}

// ParseMetadata reads a metadata.yaml. Errors wrap [ErrMetadata].
func ParseMetadata(text []byte) (*Metadata, error) {
	var d metadataDocument
	if err := yaml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMetadata, err)
	}
	if d.Bag == nil {
		return nil, fmt.Errorf("%w: it has no rosbag2_bagfile_information", ErrMetadata)
	}
	return d.Bag, nil
}

// maxMetadata is the maximum size of a metadata.yaml, bytes.
const maxMetadata = 64 << 20

// ReadMetadata reads the metadata of a folder.
func ReadMetadata(dir string) (*Metadata, error) {
	text, err := regular.Read(filepath.Join(dir, MetadataFile), maxMetadata)
	if err != nil {
		return nil, err
	}
	m, err := ParseMetadata(text)
	if err != nil {
		path := filepath.Join(dir, MetadataFile)
		return nil, filekind.ExplainData(path, text, fmt.Errorf("%s: %w", path, err), filekind.BagMetadata)
	}
	return m, nil
}

// Write writes the metadata of a folder atomically: after a power cut either the old or the new one exists.
func (m *Metadata) Write(dir string) (err error) {
	text, err := m.YAML()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".metadata-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return system.Rename(f.Name(), filepath.Join(dir, MetadataFile))
}
