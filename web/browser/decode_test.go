// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
)

// sample is a message for Foxglove's decoder: its schema as channels have it, its bytes, and what should be read.
type sample struct {
	Type   string          `json:"type"`
	Schema string          `json:"schema"`
	CDR    []byte          `json:"cdr"`
	Value  json.RawMessage `json:"value"`
}

// counter returns each number of a message another value.
type counter int

// message makes JSON for a type in which no two numbers are alike.
func (c *counter) message(t *dynamic.Type) map[string]any {
	m := map[string]any{}
	for i := range t.Fields {
		m[t.Fields[i].Name] = c.field(&t.Fields[i])
	}
	return m
}

func (c *counter) field(f *dynamic.Field) any {
	n := 3
	switch f.Container {
	case dynamic.Single:
		return c.value(f)
	case dynamic.Array:
		n = f.Size
	case dynamic.Bounded:
		n = min(n, f.Size)
	}
	list := []any{}
	for range n {
		list = append(list, c.value(f))
	}
	return list
}

// value goes over the whole range of each kind of number; of 64 bits as far as JavaScript's numbers are exact.
func (c *counter) value(f *dynamic.Field) any {
	*c++
	i := int64(*c)
	sign := 1 - 2*(i%2)
	switch f.Kind {
	case dynamic.Nested:
		return c.message(f.Type)
	case dynamic.Bool:
		return i%3 == 0
	case dynamic.String:
		text := fmt.Sprintf("é%d", i)
		if f.StringBound > 0 {
			text = text[:min(len(text), f.StringBound)]
		}
		return text
	case dynamic.Float32:
		return float32(float64(sign) * math.Exp(float64(i%60)-30))
	case dynamic.Float64:
		return float64(sign) * math.Exp(float64(i%600)-300)
	case dynamic.Int8:
		return sign * (i % 128)
	case dynamic.Uint8, dynamic.Byte:
		return i * 37 % 256
	case dynamic.Int16:
		return sign * (i * 811 % 32768)
	case dynamic.Uint16:
		return i * 811 % 65536
	case dynamic.Int32:
		return sign * (i * 6700417 % math.MaxInt32)
	case dynamic.Uint32:
		return i * 6700417 % math.MaxUint32
	case dynamic.Int64:
		return sign * (1<<53 - i)
	}
	return 1<<53 - i
}

// TestFoxgloveDecodesEveryType: Foxglove's own parser and decoder read every message of the program's, those of
// services and actions too, from the schema that its channels have, and find in it what was put there.
func TestFoxgloveDecodesEveryType(t *testing.T) {
	needBrowser(t)
	names := msgs.Names()
	for _, s := range msgs.ServiceNames() {
		names = append(names, s+"_Request", s+"_Response")
	}
	var lines bytes.Buffer
	for _, name := range names {
		typ, err := dynamic.Resolve(name, msgs.Definition)
		if err != nil {
			t.Fatal(err)
		}
		var c counter
		text, err := json.Marshal(c.message(typ))
		if err != nil {
			t.Fatal(name, err)
		}
		m, err := rosjson.Decode(typ, text)
		if err != nil {
			t.Fatal(name, err)
		}
		data, err := cdr.Marshal(nil, m)
		if err != nil {
			t.Fatal(name, err)
		}
		if err := json.NewEncoder(&lines).Encode(sample{name, typ.MsgText(), data, text}); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("node", "testdata/decode.mjs")
	cmd.Stdin = &lines
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Types, Numbers int
		Failed         []string
	}
	if err := json.Unmarshal(out, &told); err != nil {
		t.Fatal(err)
	}
	for _, f := range told.Failed {
		t.Error(f)
	}
	if told.Types != len(names) || told.Numbers < 1000 {
		t.Errorf("%d types with %d values, want %d types", told.Types, told.Numbers, len(names))
	}
	t.Logf("%d types, %d values compared", told.Types, told.Numbers)
}
