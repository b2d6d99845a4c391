// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// errParameters is returned for parameters that are missing, unknown or out of order.
var errParameters = errors.New("armcost: bad parameters")

//go:embed parameters.json
var shipped []byte

// Interval is a figure that is not known better: the likely value and the bounds of what it can be.
type Interval struct {
	Low    float64 `json:"low"`
	Likely float64 `json:"likely"`
	High   float64 `json:"high"`
}

// Plus adds two figures, each bound to its like.
func (i Interval) Plus(o Interval) Interval {
	return Interval{i.Low + o.Low, i.Likely + o.Likely, i.High + o.High}
}

// Times multiplies with a number that is not negative.
func (i Interval) Times(n float64) Interval { return Interval{i.Low * n, i.Likely * n, i.High * n} }

// Parameter is a figure of the processor, the kernel or the board, and where it comes from.
type Parameter struct {
	Interval
	Unit   string `json:"unit"`
	Source string `json:"source"`
}

// Parameters are all that the model does not count, and the sizes with which it counts. Source says where they come
// from as a whole.
type Parameters struct {
	Source string `json:"source"`
	// Cores are the processor's, 1 if it is 0. A program's threads are counted as on one of them.
	Cores      int                  `json:"cores,omitempty"`
	Model      Model                `json:"model,omitzero"`
	Parameters map[string]Parameter `json:"parameters"`
}

// Literature returns the parameters that come with the program. None of them was measured on a robot.
func Literature() (Parameters, error) { return parse(shipped, nil) }

// ParseParameters reads parameters as JSON; those that data does not name are the literature's.
func ParseParameters(data []byte) (Parameters, error) {
	base, err := Literature()
	if err != nil {
		return Parameters{}, err
	}
	return parse(data, base.Parameters)
}

// ReadParameters reads a file of parameters.
func ReadParameters(path string) (Parameters, error) {
	data, err := regular.Read(path, 1<<20)
	if err != nil {
		return Parameters{}, err
	}
	p, err := ParseParameters(data)
	if err != nil {
		return p, filekind.ExplainData(path, data, fmt.Errorf("%s: %w", path, err), filekind.JSON)
	}
	return p, nil
}

func parse(data []byte, base map[string]Parameter) (Parameters, error) {
	var p Parameters
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("%w: %w", errParameters, err)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Parameters)) {
		v := p.Parameters[name]
		if _, ok := base[name]; base != nil && !ok {
			return p, fmt.Errorf("%w: no %q", errParameters, name)
		}
		if !(0 <= v.Low && v.Low <= v.Likely && v.Likely <= v.High) {
			return p, fmt.Errorf("%w: %s: %g, %g, %g are not in order", errParameters, name, v.Low, v.Likely, v.High)
		}
	}
	if core, ok := p.Parameters["core"]; (ok || base == nil) && core.Low <= 0 {
		return p, fmt.Errorf("%w: a core of %g Hz", errParameters, core.Low)
	}
	if p.Cores < 0 || p.Cores > 64 {
		return p, fmt.Errorf("%w: %d cores", errParameters, p.Cores)
	}
	if err := p.Model.check(); err != nil {
		return p, err
	}
	all := maps.Clone(base)
	if all == nil {
		all = map[string]Parameter{}
	}
	maps.Copy(all, p.Parameters)
	p.Parameters = all
	return p, nil
}
