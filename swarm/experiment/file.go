// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/swarm"
)

// Limits of a file.
const (
	// MaxFileSize is the longest file that is read, bytes.
	MaxFileSize = 1 << 20
	// MaxRuns is the most runs of an experiment.
	MaxRuns = 1_000_000
)

// LevelOfWorld leaves every robot the level that the world file gives it.
const LevelOfWorld = "world"

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

	folder string // where the file is
	key    string // of what the results depend on
}

// Seeds is a list of seeds, written out or as a range.
type Seeds []uint64

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *Seeds) UnmarshalYAML(n *yaml.Node) error {
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
	if r.Count < 1 || r.Count > MaxRuns {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: count must be 1 to %d, is %d", n.Line, MaxRuns, r.Count)}}
	}
	for i := range r.Count {
		*s = append(*s, r.From+uint64(i))
	}
	return nil
}

// Grid is the values of each parameter, in the order of the file.
type Grid []Axis

// Axis is the values of one parameter.
type Axis struct {
	Name   string
	Values []float64
}

// UnmarshalYAML implements yaml.Unmarshaler; a Go map would lose the order.
func (g *Grid) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: must be a mapping of parameters to lists of numbers", n.Line)}}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		a := Axis{Name: n.Content[i].Value}
		if err := n.Content[i+1].Decode(&a.Values); err != nil {
			return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s must be a list of numbers", n.Content[i+1].Line, a.Name)}}
		}
		*g = append(*g, a)
	}
	return nil
}

// Load reads an experiment file. Errors wrap [ErrFile], with the line and the field, or those of package os.
func Load(path string) (*Experiment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	e, err := Parse(data, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// Parse reads the text of an experiment file that lies in a folder.
func Parse(data []byte, folder string) (*Experiment, error) {
	if len(data) > MaxFileSize {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrFile, len(data), MaxFileSize)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrFile, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%w: must be a mapping of fields", ErrFile)
	}
	e := &Experiment{Distribution: string(sim.Uniform), Level: world.LevelFunctional, Period: 0.1, folder: folder}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(e); err != nil {
		var te *yaml.TypeError
		if errors.As(err, &te) && len(te.Errors) > 0 {
			return nil, fmt.Errorf("%w: %s", ErrFile, te.Errors[0])
		}
		return nil, fmt.Errorf("%w: %s", ErrFile, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	lines := make(map[string]int)
	for i := 0; i+1 < len(root.Content[0].Content); i += 2 {
		lines[root.Content[0].Content[i].Value] = root.Content[0].Content[i].Line
	}
	if field, text := e.wrong(); field != "" {
		if line := lines[field]; line > 0 {
			return nil, fmt.Errorf("%w: line %d: %s: %s", ErrFile, line, field, text)
		}
		return nil, fmt.Errorf("%w: %s: %s", ErrFile, field, text)
	}
	sum := sha256.Sum256(data)
	e.key = hex.EncodeToString(sum[:8])
	return e, nil
}

// wrong returns the first field that makes no sense, and why.
func (e *Experiment) wrong() (field, text string) {
	say := fmt.Sprintf
	switch {
	case e.Name == "" || strings.Trim(e.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || len(e.Name) > 64:
		return "name", say("%q must be 1 to 64 letters, digits, _ and -", e.Name)
	case e.Robots < 0 || e.Robots > world.MaxRobots:
		return "robots", say("%d, must be 0 to %d", e.Robots, world.MaxRobots)
	case !slices.Contains(sim.Distributions(), sim.Distribution(e.Distribution)):
		return "distribution", say("%q, must be one of %q", e.Distribution, sim.Distributions())
	case e.Level != LevelOfWorld && !slices.Contains(world.Levels(), e.Level):
		return "level", say("%q, must be one of %q, or %q", e.Level, world.Levels(), LevelOfWorld)
	case e.Level == LevelOfWorld && e.Robots > 0:
		return "level", say("%q goes with the robots of the world file, not with a number of robots", e.Level)
	case !(e.Duration > 0 && e.Duration <= 1e7):
		return "duration", say("%g s, must be over 0 and at most 1e7", e.Duration)
	case !(e.Period >= 0.01 && e.Period <= 10):
		return "period", say("%g s, must be 0.01 to 10", e.Period)
	case len(e.Seeds) == 0:
		return "seeds", "there must be at least one"
	case (e.Controller == "") == (len(e.Command) == 0):
		return "controller", "there must be a controller or a command, and not both"
	}
	for _, k := range slices.Sorted(keys(e.Stop)) {
		if !slices.Contains(Figures(), k) {
			return "stop", say("%q, must be one of %q", k, Figures())
		}
	}
	return e.wrongGrid()
}

// wrongGrid is wrong for the parameters.
func (e *Experiment) wrongGrid() (field, text string) {
	runs := len(e.Seeds)
	named := make(map[string]bool)
	set := make(map[string]float64)
	for _, a := range e.Parameters {
		if len(a.Values) == 0 || named[a.Name] {
			return "parameters", fmt.Sprintf("%q has no value, or comes twice", a.Name)
		}
		named[a.Name] = true
		for _, v := range a.Values {
			if a.Name == "robots" && (v < 1 || v > world.MaxRobots || v != float64(int(v))) {
				return "parameters", fmt.Sprintf("robots: %g, must be a whole number of 1 to %d", v, world.MaxRobots)
			}
		}
		if a.Name != "robots" {
			set[a.Name] = a.Values[0]
		}
		if runs *= len(a.Values); runs > MaxRuns {
			return "parameters", fmt.Sprintf("more than %d runs", MaxRuns)
		}
	}
	if e.Controller != "" {
		if _, err := swarm.Named(e.Controller, set); err != nil {
			return "controller", err.Error()
		}
	}
	return "", ""
}

// Runs returns the number of runs.
func (e *Experiment) Runs() int {
	n := len(e.Seeds)
	for _, a := range e.Parameters {
		n *= len(a.Values)
	}
	return n
}

// Case is what one run is made of.
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
