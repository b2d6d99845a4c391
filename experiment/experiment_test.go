// SPDX-License-Identifier: Apache-2.0

package experiment_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/experiment"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const small = `
name: small
world: empty
robots: 4
controller: avoid
duration: 3
seeds: {from: 5, count: 3}
parameters:
  speed: [2, 4]
  threshold: [50, 100]
`

const many = `
name: many
world: empty
controller: avoid
duration: 20
seeds: {from: 1, count: 60}
parameters: {robots: [10]}
`

func parse(t testing.TB, text string) *experiment.Experiment {
	t.Helper()
	e, err := experiment.Parse([]byte(text), ".")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestCasesAreAllCombinations(t *testing.T) {
	e := parse(t, small)
	if e.Runs() != 12 {
		t.Fatalf("%d runs", e.Runs())
	}
	for i, want := range map[int]experiment.Case{
		0: {0, 5, []float64{2, 50}}, 2: {2, 7, []float64{2, 50}}, 3: {3, 5, []float64{2, 100}}, 11: {11, 7, []float64{4, 100}},
	} {
		got := e.Case(i)
		if got.Run != want.Run || got.Seed != want.Seed || got.Values[0] != want.Values[0] || got.Values[1] != want.Values[1] {
			t.Errorf("run %d is %+v, want %+v", i, got, want)
		}
	}
}

// table reads a CSV file.
func table(t *testing.T, path string) (head []string, rows [][]float64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		var row []float64
		for _, v := range r {
			x, err := strconv.ParseFloat(v, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

func TestRunAndCollect(t *testing.T) {
	e, folder := parse(t, small), filepath.Join(t.TempDir(), "results")
	var last [2]int
	if err := e.Run(context.Background(), folder, nil, 2, func(done, all int) { last = [2]int{done, all} }); err != nil {
		t.Fatal(err)
	}
	if last != [2]int{12, 12} {
		t.Errorf("progress ends with %v", last)
	}
	have, missing, err := e.Collect(folder)
	if have != 12 || len(missing) != 0 || err != nil {
		t.Fatalf("%d, %v, %v", have, missing, err)
	}
	head, rows := table(t, filepath.Join(folder, "runs.csv"))
	if len(rows) != 12 || strings.Join(head, " ") != "run seed speed threshold time wall stopped clusters collisions covered largest spread way" {
		t.Fatalf("%v, %d rows", head, len(rows))
	}
	parquetRows(t, filepath.Join(folder, "runs.parquet"), head, rows)
	shead, srows := table(t, filepath.Join(folder, "summary.csv"))
	if len(srows) != 4 || shead[2] != "runs" || srows[0][2] != 3 {
		t.Errorf("%v: %v", shead, srows)
	}
	mean := (rows[0][12] + rows[1][12] + rows[2][12]) / 3
	if math.Abs(srows[0][len(srows[0])-2]-mean) > 1e-12 || !(srows[0][len(srows[0])-1] > 0) {
		t.Errorf("mean way %v, want %g", srows[0], mean)
	}
	page, err := os.ReadFile(filepath.Join(folder, "summary.html"))
	if err != nil || strings.Count(string(page), "<svg") != 6 || strings.Contains(string(page), "<script") {
		t.Errorf("summary.html: %d bytes, %v", len(page), err)
	}
}

// Equal runs have equal figures, on any number of processors.
func TestRunsRepeat(t *testing.T) {
	e := parse(t, small)
	a, err := e.Do(context.Background(), e.Case(7))
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Do(context.Background(), e.Case(7))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range a.Figures {
		if b.Figures[k] != v {
			t.Errorf("%s: %g and %g", k, v, b.Figures[k])
		}
	}
}

// A run that has ended is not repeated; one whose file is damaged is.
func TestContinues(t *testing.T) {
	e, folder := parse(t, small), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	err := e.Run(ctx, folder, nil, 1, func(done, _ int) {
		if done == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) < 5 || len(files) > 6 {
		t.Fatalf("%v, %v", files, err)
	}
	was, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[1], []byte(`{"run`), 0o600); err != nil {
		t.Fatal(err)
	}
	first := -1
	if err := e.Run(context.Background(), folder, nil, 2, func(done, _ int) {
		if first < 0 {
			first = done
		}
	}); err != nil {
		t.Fatal(err)
	}
	if first != len(files)-1 {
		t.Errorf("continued at %d of %d", first, len(files)-1)
	}
	if now, err := os.Stat(files[0]); err != nil || !now.ModTime().Equal(was.ModTime()) {
		t.Errorf("a finished run was repeated: %v", err)
	}
	if have, missing, err := e.Collect(folder); have != 12 || len(missing) != 0 || err != nil {
		t.Errorf("%d, %v, %v", have, missing, err)
	}
}

// With level "world" the levels are those of the world file: a firmware robot's bus influences the run, so the figures
// differ.
func TestLevelsOfTheWorld(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "two.yaml"), []byte("arena: {size: [1, 1]}\nrobots: [{name: a, level: functional}, {name: b, position: [0.2, 0.2]}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	figures := make(map[float64]bool)
	for _, level := range []string{"world", "functional", "firmware"} {
		e, err := experiment.Parse([]byte("name: l\nworld: two.yaml\ncontroller: avoid\nduration: 20\nseeds: [1]\nlevel: "+level), folder)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Do(context.Background(), e.Case(0))
		if err != nil {
			t.Fatal(err)
		}
		figures[r.Figures["way"]] = true
	}
	if len(figures) != 3 {
		t.Errorf("ways %v: two levels are the same", figures)
	}
}

func TestStop(t *testing.T) {
	e := parse(t, "name: s\nworld: empty\nrobots: 3\ncontroller: avoid\nduration: 100\nseeds: [1]\nstop: {way: 0.3}\n")
	r, err := e.Do(context.Background(), e.Case(0))
	if err != nil {
		t.Fatal(err)
	}
	if !r.Stopped || r.Time > 20 || r.Figures["way"] < 0.3 {
		t.Errorf("%+v", r)
	}
}

// Results of a changed world file are not mixed with those of the old one.
func TestWorldIsPartOfTheExperiment(t *testing.T) {
	folder := t.TempDir()
	names := make(map[string]bool)
	for _, size := range []string{"1", "2", "1"} {
		if err := os.WriteFile(filepath.Join(folder, "w.yaml"), []byte("arena: {size: ["+size+", 1]}\nrobots: [{name: a}]"), 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := experiment.Parse([]byte("name: w\nworld: ./w.yaml\ncontroller: avoid\nduration: 1\nseeds: [1]"), folder)
		if err != nil {
			t.Fatal(err)
		}
		names[e.Folder("")] = true
	}
	if len(names) != 2 {
		t.Errorf("folders %v", names)
	}
}

// Only one program at a time can execute all runs of a folder; several can execute parts of them.
func TestBusy(t *testing.T) {
	e, folder := parse(t, small), t.TempDir()
	none := func(int, int) {}
	nested := func(runs, others []int) (err error) {
		once := false
		if err := e.Run(context.Background(), folder, runs, 1, func(int, int) {
			if !once {
				once, err = true, e.Run(context.Background(), folder, others, 1, none)
			}
		}); err != nil {
			t.Fatal(err)
		}
		return err
	}
	for _, c := range []struct {
		runs, others []int
		busy         bool
	}{{nil, nil, true}, {nil, []int{1}, true}, {[]int{1}, nil, true}, {[]int{1}, []int{1, 2}, false}} {
		if err := nested(c.runs, c.others); errors.Is(err, experiment.ErrBusy) != c.busy || !c.busy && err != nil {
			t.Errorf("%v while %v: %v", c.others, c.runs, err)
		}
	}
}

// The next run removes incomplete files of a killed program.
func TestHalfWrittenFilesGo(t *testing.T) {
	e, folder := parse(t, small), t.TempDir()
	half := filepath.Join(folder, ".run-0000003.json.123")
	if err := os.WriteFile(half, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Run(context.Background(), folder, nil, 0, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// columns are the columns after the lines of errors; experiment/place_test.go has them.
var columns = regexp.MustCompile(`(line \d+):\d+:`)

// The error of an invalid file names field and line.
func TestBadFiles(t *testing.T) {
	with := func(line string) string {
		field, _, _ := strings.Cut(line, ":")
		var out []string
		for _, l := range strings.Split("name: a\nworld: empty\ncontroller: avoid\nduration: 1\nseeds: [1]", "\n") {
			if !strings.HasPrefix(l, field+":") {
				out = append(out, l)
			}
		}
		return strings.Join(append(out, line), "\n")
	}
	for _, c := range []struct{ text, want string }{
		{"", "mapping"}, {"- 1", "mapping"}, {"a: [", "line 1"},
		{with("dur: 1"), "line 6: field dur not found"},
		{with("name: a/b"), `line 5: name: "a/b"`},
		{with("robots: -1"), "line 6: robots: -1"},
		{with("distribution: heap"), `line 6: distribution: "heap"`},
		{with("level: dream"), `line 6: level: "dream"`},
		{with("duration: 0"), "line 5: duration: 0 s"},
		{with("duration: .nan"), "line 5: duration: NaN"},
		{with("period: 0.001"), "line 6: period: 0.001 s"},
		{with("seeds: []"), "line 5: seeds: there must be"},
		{with("seeds: {from: 1, count: 0}"), "line 5: count must be"},
		{with("seeds: {from: 1, count: 1000000000}"), "line 5: count must be"},
		{with("seeds: [3, 4, 3]"), "line 5: seeds: 3 occurs twice"},
		{with("seeds: [9007199254740993]"), "line 5: seeds: 9007199254740993, must be at most"},
		{with("seeds: {from: 18446744073709551615, count: 2}"), "line 5: seeds: 18446744073709551615, must be at most"},
		{with("seeds: [1.5]"), "line 5: 1.5 is not a whole number"},
		{with("seeds: {from: 1, count: 2.5}"), "line 5: 2.5 is not a whole number"},
		{with("robots: 1.5"), "line 6: robots: 1.5 is not a whole number"},
		{with("seeds: [1]\nseeds: [2]"), `line 6: mapping key "seeds" already defined at line 5`},
		{with("seeds: [1]\n---\nname: b"), "line 6: there must be one document"},
		{with("world: nowhere"), `line 5: world: `},
		{with("world: ./nowhere.yaml"), `line 5: world: `},
		{with("duration: 0.001"), "line 5: duration: 0.001 s"},
		{with("stop: {way: .nan}"), "line 6: stop: way: NaN"},
		{with("stop: {way: 1, way: 2}"), `line 6: mapping key "way" already defined`},
		{with("parameters: {speed: [1, 2, 1]}"), "line 6: parameters: speed: 1 occurs twice"},
		{with("parameters: {speed: [.nan]}"), "line 6: parameters: speed: NaN"},
		{with("parameters: {speed: [.inf]}"), "line 6: parameters: speed: +Inf"},
		{with("parameters: {speed: [1], speed: [2]}"), `line 6: parameters: "speed" has no value, or occurs twice`},
		{with("parameters: {seed: [1]}"), `line 6: parameters: "seed" is a column`},
		{with("parameters: {\"a b\": [1]}"), `line 6: parameters: "a b" must be 1 to 64 letters`},
		{with("level: world\nparameters: {robots: [3]}"), `line 6: level: "world" is for`},
		{"name: a\ncommand: [x]\nduration: 1\nseeds: [1]\nstop: {way: 1}", "line 5: stop: requires a controller"},
		{with("controller: dance"), `line 5: controller: swarm: controller "dance"`},
		{with("command: [x]"), "line 3: controller: there must be a controller or a command"},
		{with("stop: {beauty: 1}"), `line 6: stop: "beauty"`},
		{with("parameters: {wings: [1]}"), `line 3: controller: swarm: controller "avoid" has no parameter "wings"`},
		{with("parameters: [1]"), "line 6: must be a mapping"},
		{with("parameters: {speed: 1}"), "line 6: speed must be a list"},
		{with("parameters: {speed: []}"), "line 6: parameters"},
		{with("parameters: {robots: [1.5]}"), "line 6: parameters: robots: 1.5"},
	} {
		_, err := experiment.Parse([]byte(c.text), ".")
		if text := columns.ReplaceAllString(fmt.Sprint(err), "$1:"); !errors.Is(err, experiment.ErrFile) || !strings.Contains(text, c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	e := parse(t, strings.Replace(with("robots: 5000"), "world: empty", "world: maze", 1))
	if err := e.Run(context.Background(), t.TempDir(), nil, 1, func(int, int) {}); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("too many robots: %v", err)
	}
	if err := e.Run(context.Background(), t.TempDir(), []int{1}, 1, func(int, int) {}); !errors.Is(err, experiment.ErrFile) {
		t.Errorf("a run that does not exist: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add(many)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := experiment.Parse([]byte(text), ".")
		if err != nil && !errors.Is(err, experiment.ErrFile) {
			t.Fatal(err)
		}
		if err == nil {
			e.Case(e.Runs() - 1)
		}
	})
}

func Example() {
	e, err := experiment.Parse([]byte(small), ".")
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Runs(), "runs: two speeds, two thresholds, three seeds")
	// Output: 12 runs: two speeds, two thresholds, three seeds
}
