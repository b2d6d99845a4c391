// SPDX-License-Identifier: Apache-2.0

//go:build linux

package fleet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/batch"
)

// hostileSpawns are requests that name what is not theirs, break out of their field, or are made to cost memory. secret
// is a file of this machine.
func hostileSpawns(secret string) map[string]si.SpawnEntityRequest {
	huge := 1 << 20
	if suite.Long {
		huge = 15 << 20
	}
	entities := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">`
	for c := 'b'; c <= 'z'; c++ {
		entities += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat("&"+string(c-1)+";", 10))
	}
	return map[string]si.SpawnEntityRequest{
		"a path as uri":                  {Uri: secret},
		"a path that leaves":             {Uri: "../../../../" + secret},
		"a file as uri":                  {Uri: "file://" + secret},
		"http as uri":                    {Uri: "http://192.0.2.1/robot.urdf"},
		"a package as uri":               {Uri: "package://../../etc/passwd"},
		"a huge uri":                     {Uri: strings.Repeat("u", 1<<20)},
		"a huge name":                    {Name: strings.Repeat("n", 1<<20), Uri: "khepera4"},
		"a huge namespace":               {EntityNamespace: strings.Repeat("n", 1<<20), Uri: "khepera4"},
		"an escape as name":              {Name: "a\x1b]52;c;ZXZpbA==\x07", Uri: "khepera4"},
		"a zero byte as name":            {Name: "a\x00b", Uri: "khepera4"},
		"a path as name":                 {Name: "../../a", Uri: "khepera4"},
		"a line end as namespace":        {EntityNamespace: "a\nb", Uri: "khepera4"},
		"no UTF-8 as name":               {Name: "\xff\xfe", Uri: "khepera4"},
		"a huge text":                    {ResourceString: strings.Repeat("[],", huge/3)},
		"a huge comment":                 {ResourceString: crate + "<!--" + strings.Repeat("-", huge)},
		"deep XML":                       {ResourceString: strings.Repeat("<a>", 10_000)},
		"wide XML":                       {ResourceString: "<robot>" + strings.Repeat("<a/>", 20_000) + "</robot>"},
		"entities of entities":           {ResourceString: entities + "]><robot>&z;</robot>"},
		"an entity of a file":            {ResourceString: `<!DOCTYPE r [<!ENTITY x SYSTEM "file://` + secret + `">]><robot name="r">&x;</robot>`},
		"a PROTO of the network":         {ResourceString: "#VRML_SIM R2023b utf8\nEXTERNPROTO \"http://192.0.2.1/a.proto\"\nA {}"},
		"a PROTO of this machine":        {ResourceString: "#VRML_SIM R2023b utf8\nEXTERNPROTO \"file://" + secret + "\"\nA {}"},
		"deep PROTO":                     {ResourceString: "#VRML_SIM R2023b utf8\nPROTO P [] {" + strings.Repeat("Group{children[", 5_000)},
		"deep YAML":                      {ResourceString: strings.Repeat("[", 10_000)},
		"deep YAML of maps":              {ResourceString: strings.Repeat("{a: ", 5_000)},
		"references of references":       {ResourceString: "arena: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]"},
		"a model of this machine":        {ResourceString: "robots: [{name: r, model: " + secret + "}]"},
		"a floor of this machine":        {ResourceString: "floor: {resolution: 0.01, image: " + secret + "}\nrobots: [{name: r, level: functional}]"},
		"a floor outside":                {ResourceString: "floor: {resolution: 0.01, image: ../../../.." + secret + "}\nrobots: [{name: r, level: functional}]"},
		"as many robots as there may be": {ResourceString: "robots: [" + strings.Repeat("{level: functional},", 5_000) + "]"},
		"an escape in the text":          {ResourceString: "robots: [{name: \"a\\e[2J\", level: \"\\e]0;x\\a\"}]"},
	}
}

// TestHostileSpawnsAreRefused: each with a code and a short reason that a terminal can print, at a bounded cost; no
// text of this machine's files is in the reason, nothing is added to the world, and the service works afterwards.
func TestHostileSpawnsAreRefused(t *testing.T) {
	h := newModelled(t, 1)
	secret := filepath.Join(t.TempDir(), "secret.urdf")
	if err := os.WriteFile(secret, []byte("<robot name=\"s3cr3t\"><link name=\"base\"/></robot>"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := strings.Join(h.names(si.EntityFilters{}), " ")
	for name, q := range hostileSpawns(secret) {
		if q.Name == "" {
			q.Name = "evil"
		}
		q.InitialPose = at(1, 0)
		taken := allocated()
		r := h.ask(q)
		if cost := allocated() - taken; cost > 512<<20 {
			t.Errorf("%s: takes %d MB", name, cost>>20)
		}
		reason := r.Result.ErrorMessage
		if r.Result.Result == si.ResultOK || reason == "" || len(reason) > 4<<10 || reason != printable.Text(reason) || strings.Contains(reason, "s3cr3t") {
			t.Errorf("%s: %d %.300q (%d bytes)", name, r.Result.Result, reason, len(reason))
		}
	}
	if now := strings.Join(h.names(si.EntityFilters{}), " "); now != before {
		t.Errorf("in the world are %s, before %s", now, before)
	}
	if r := h.ask(si.SpawnEntityRequest{Name: "good", ResourceString: crate, InitialPose: at(1, 0)}); r.Result.Result != si.ResultOK {
		t.Errorf("%+v", r)
	}
}

// allocated is how many bytes were allocated until now.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestBatchesOfSpawnsAreBounded: also in the answer, which has a text for each.
func TestBatchesOfSpawnsAreBounded(t *testing.T) {
	h := newModelled(t, 1)
	q := &batch.SpawnEntitiesRequest{SpawnRequests: make([]batch.SpawnEntity, 20_000)}
	r := call(t, h.node, batch.SpawnEntities{}, fleet.ServiceSpawnMany, q)
	if r.Result.Result != batch.SpawnEntitiesResponseEntitiesSpawnFailed || len(r.Results) != 0 || !strings.Contains(r.Result.ErrorMessage, "20000 entities") {
		t.Errorf("%d results, %+v", len(r.Results), r.Result)
	}
}

// TestHostileNamesInOtherRequests: the reason quotes them cut and escaped.
func TestHostileNamesInOtherRequests(t *testing.T) {
	h := newModelled(t, 1)
	for _, name := range []string{"\x1b[2J", strings.Repeat("x", 1<<20), "\u202e\u0085", "\xff"} {
		r := call(t, h.node, si.DeleteEntity{}, fleet.ServiceDelete, &si.DeleteEntityRequest{Entity: name}).Result
		if text := r.ErrorMessage; r.Result != si.ResultNotFound || len(text) > 4<<10 || text != printable.Text(text) {
			t.Errorf("%.20q: %d bytes, %.100q", name, len(text), text)
		}
	}
	for _, filter := range []string{strings.Repeat("(a", 100_000), strings.Repeat("a{1000}", 200), strings.Repeat(".*", 1<<19)} {
		taken := allocated()
		r := call(t, h.node, si.GetEntities{}, fleet.ServiceList, &si.GetEntitiesRequest{Filters: si.EntityFilters{Filter: filter}}).Result
		if cost := allocated() - taken; r.Result == si.ResultOK || len(r.ErrorMessage) > 4<<10 || cost > 64<<20 {
			t.Errorf("a filter %.20s…: %d %.100q, %d MB", filter, r.Result, r.ErrorMessage, cost>>20)
		}
	}
}

// TestResourcesOfDescriptionsAreNotOpened: a description may name meshes and PROTO files of any place.
func TestResourcesOfDescriptionsAreNotOpened(t *testing.T) {
	h := newModelled(t, 1)
	pipe := filepath.Join(t.TempDir(), "pipe") // opening it waits for a writer
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, uri := range []string{"file://" + pipe, pipe, "http://192.0.2.1/a.stl", "package://epuck_driver/../../.." + pipe} {
		text := strings.Replace(crate, `</collision>`, `</collision><visual><geometry><mesh filename="`+uri+`"/></geometry></visual>`, 1)
		r := h.ask(si.SpawnEntityRequest{Name: fmt.Sprint("m", i), ResourceString: text, InitialPose: at(float64(i)/2-1, 1)})
		if r.Result.Result != si.ResultOK {
			t.Errorf("%s: %+v", uri, r)
		}
		text = "#VRML_SIM R2023b utf8\nEXTERNPROTO \"" + uri + "\"\nRobot {}"
		if r := h.ask(si.SpawnEntityRequest{Name: fmt.Sprint("p", i), ResourceString: text, InitialPose: at(float64(i)/2-1, -1)}); r.Result.Result != si.ResultOK {
			t.Errorf("%s as a PROTO: %+v", uri, r)
		}
	}
}
