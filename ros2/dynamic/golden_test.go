// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// golden returns the files below testdata/golden: messages as a real ROS 2 Humble
// encoded them and as its command line shows them.
func golden(t testing.TB) map[string]map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no golden files", err)
	}
	all := map[string]map[string]string{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = files
	}
	return all
}

func goldenMessage(t testing.TB, files map[string]string) (*dynamic.Message, []byte) {
	t.Helper()
	payload, err := hex.DecodeString(strings.TrimSpace(files["cdr"]))
	if err != nil {
		t.Fatal(err)
	}
	m, err := dynamic.Decode(resolve(t, strings.TrimSpace(files["type"])), payload)
	if err != nil {
		t.Fatal(err)
	}
	return m, payload
}

// Every message is shown exactly as ROS 2 shows it.
func TestShownAsROSDoes(t *testing.T) {
	for name, files := range golden(t) {
		t.Run(name, func(t *testing.T) {
			m, _ := goldenMessage(t, files)
			some := dynamic.Format{Truncate: 128}
			none := dynamic.Format{Truncate: 128, NoArrays: true, NoStrings: true}
			flow := dynamic.Format{Truncate: 128, Flow: true}
			short := dynamic.Format{Truncate: 3}
			for file, got := range map[string]string{
				"yaml": m.YAML(some), "full.yaml": m.YAML(dynamic.Full()), "flow.yaml": m.YAML(flow),
				"short.yaml": m.YAML(short), "none.yaml": m.YAML(none),
				"csv": m.CSV(some) + "\n", "short.csv": m.CSV(short) + "\n", "none.csv": m.CSV(none) + "\n",
				"repr": m.Python() + "\n",
			} {
				if diff := cmp.Diff(strings.TrimSuffix(files[file], "\n"), strings.TrimSuffix(got, "\n")); diff != "" {
					t.Errorf("%s (-ROS +ours):\n%s", file, diff)
				}
			}
		})
	}
}

// Decoding and encoding yields ROS 2's bytes, apart from padding at the end, also via YAML.
func TestGoldenBytes(t *testing.T) {
	for name, files := range golden(t) {
		t.Run(name, func(t *testing.T) {
			m, payload := goldenMessage(t, files)
			messages := []*dynamic.Message{m}
			if !strings.ContainsAny(files["full.yaml"], odd) {
				messages = append(messages, fromYAML(t, m))
			}
			for _, message := range messages {
				got, err := cdr.Marshal(nil, message)
				if err != nil {
					t.Fatal(err)
				}
				if len(payload)-len(got) > 3 || !bytes.Equal(got, payload[:min(len(got), len(payload))]) {
					t.Errorf("encoded\n%x\nROS\n%x", got, payload)
				}
			}
		})
	}
}

// odd are line breaks of YAML 1.1 that it keeps in no form but escapes, and that ROS
// writes unescaped.
const odd = "\u0085\u2028\u2029"

// fromYAML writes a message as YAML and fills another one from that.
func fromYAML(t testing.TB, m *dynamic.Message) *dynamic.Message {
	t.Helper()
	text := m.YAML(dynamic.Full())
	again := dynamic.New(m.Type())
	if _, err := again.Fill(text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return again
}
