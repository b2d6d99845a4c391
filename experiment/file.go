// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Limits of a file.
const (
	// maxFileSize is the maximum size of an experiment file, bytes.
	maxFileSize = 1 << 20
	// maxRuns is the maximum number of runs of an experiment.
	maxRuns = 1_000_000
	// maxSeed is the largest seed: numbers of the tables have 53 bits.
	maxSeed = 1 << 53
)

// levelOfWorld is the value of Level that selects each robot's level in the world file.
const levelOfWorld = "world"

// Experiment is an experiment file.
type Experiment struct {
	Name         string             `yaml:"name"`
	World        string             `yaml:"world"`
	Robots       int                `yaml:"robots"`
	Distribution string             `yaml:"distribution"`
	Level        string             `yaml:"level"`
	Controller   string             `yaml:"controller"`
	Command      []string           `yaml:"command"`
	Duration     float64            `yaml:"duration"` // s
	Period       float64            `yaml:"period"`   // s
	Stop         map[string]float64 `yaml:"stop"`
	Seeds        Seeds              `yaml:"seeds"`
	Parameters   Grid               `yaml:"parameters"`

	folder string // of the file
	key    string // hash of everything that the results depend on
}

// Seeds is a list of seeds, written out or as a range.
type Seeds []uint64

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *Seeds) UnmarshalYAML(n *yaml.Node) error {
	for _, item := range n.Content {
		if item.ShortTag() == "!!float" { // which would be truncated
			return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s is not a whole number", item.Line, item.Value)}}
		}
	}
	if n.Kind != yaml.MappingNode {
		return n.Decode((*[]uint64)(s))
	}
	var r struct {
		From  uint64 `yaml:"from"`
		Count int    `yaml:"count"`
	}
	if err := n.Decode(&r); err != nil {
		return err
	}
	if r.Count < 1 || r.Count > maxRuns {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: count must be 1 to %d, got %d", n.Line, maxRuns, r.Count)}}
	}
	for i := range r.Count {
		*s = append(*s, r.From+uint64(i))
	}
	return nil
}

// Grid is the values of each parameter, in the order of the file.
type Grid []axis

// axis is the values of one parameter.
type axis struct {
	Name   string
	Values []float64
}

// UnmarshalYAML implements yaml.Unmarshaler; a Go map would lose the order.
func (g *Grid) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: must be a mapping of parameters to lists of numbers", n.Line)}}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		a := axis{Name: n.Content[i].Value}
		if err := n.Content[i+1].Decode(&a.Values); err != nil {
			return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s must be a list of numbers", n.Content[i+1].Line, a.Name)}}
		}
		*g = append(*g, a)
	}
	return nil
}

// Load reads an experiment file. The error names line and field of an invalid entry, or matches those of package os.
func Load(path string) (*Experiment, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	e, err := Parse(data, filepath.Dir(path))
	if err != nil {
		return nil, filekind.ExplainData(path, data, fmt.Errorf("%s: %w", path, err))
	}
	return e, nil
}

// Parse parses the text of an experiment file; relative paths in it refer to folder.
func Parse(data []byte, folder string) (*Experiment, error) {
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", errFile, len(data), maxFileSize)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fileError(data, nil, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%w: must be a mapping of fields", errFile)
	}
	e := &Experiment{Distribution: string(sim.Uniform), Level: world.LevelFunctional, Period: 0.1, folder: folder}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(e); err != nil {
		var te *yaml.TypeError
		if errors.As(err, &te) && len(te.Errors) > 0 {
			return nil, fileError(data, root.Content[0], te.Errors[0])
		}
		return nil, fileError(data, root.Content[0], strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var more yaml.Node
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: line %d: there must be one document", errFile, max(more.Line, 1))
	}
	lines := make(map[string]int)
	for i := 0; i+1 < len(root.Content[0].Content); i += 2 {
		name, value := root.Content[0].Content[i], root.Content[0].Content[i+1]
		lines[name.Value] = name.Line
		if name.Value == axisRobots && value.ShortTag() == "!!float" { // which was truncated
			return nil, fileError(data, root.Content[0], fmt.Sprintf("line %d: robots: %s is not a whole number", name.Line, value.Value))
		}
	}
	field, text := e.invalid()
	var worldText []byte
	if field == "" {
		worldText, field, text = e.worldFile()
	}
	if field != "" {
		if line := lines[field]; line > 0 {
			return nil, fileError(data, root.Content[0], fmt.Sprintf("line %d: %s: %s", line, field, text))
		}
		return nil, fmt.Errorf("%w: %s: %s", errFile, field, text)
	}
	sum := sha256.Sum256(append(data, worldText...))
	e.key = hex.EncodeToString(sum[:8])
	return e, nil
}

// Runs returns the number of runs.
func (e *Experiment) Runs() int {
	n := len(e.Seeds)
	for _, a := range e.Parameters {
		n *= len(a.Values)
	}
	return n
}

// Case is the input of one run.
type Case struct {
	Run    int
	Seed   uint64
	Values []float64 // of the parameters, in their order
}

// Case returns run i, of 0 to Runs()−1.
func (e *Experiment) Case(i int) Case {
	c := Case{Run: i, Seed: e.Seeds[i%len(e.Seeds)], Values: make([]float64, len(e.Parameters))}
	i /= len(e.Seeds)
	for k := len(e.Parameters) - 1; k >= 0; k-- {
		values := e.Parameters[k].Values
		c.Values[k] = values[i%len(values)]
		i /= len(values)
	}
	return c
}
