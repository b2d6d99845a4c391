// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

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

// sample is a message for Foxglove's decoder: the channel's schema, the bytes and the expected value.
type sample struct {
	Type   string          `json:"type"`
	Schema string          `json:"schema"`
	CDR    []byte          `json:"cdr"`
	Value  json.RawMessage `json:"value"`
}

// counter generates a different value for each number of a message.
type counter int

// message returns JSON for a type in which no two numbers are equal.
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

// value covers the whole range of each numeric type; of 64-bit types as far as JavaScript's numbers are exact.
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

// TestFoxgloveDecodesEveryType: Foxglove's own parser and decoder read every message type of the program, those of
// services and actions too, by the schema of its channel, and return the encoded values.
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
	var report struct {
		Types, Numbers int
		Failed         []string
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Failed {
		t.Error(f)
	}
	if report.Types != len(names) || report.Numbers < 1000 {
		t.Errorf("%d types with %d values, want %d types", report.Types, report.Numbers, len(names))
	}
	t.Logf("%d types, %d values compared", report.Types, report.Numbers)
}
