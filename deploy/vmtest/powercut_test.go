// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// commandBag is what the second recorder of powerCut writes.
const commandBag = "/var/lib/cut"

// powerCut: the machine is reset while the driver and "bag record" write bags, without notice to the programs. After it
// has booted again both bags are recovered: they hold all odometry but for the last second of what was heard outside.
// QEMU's reset takes all that the kernel had in memory; what the disk itself may have in its cache is not lost here.
func powerCut(g *guest, o *outside) {
	o.hears(g)
	answer := g.run("epuck-driver service call /record/start std_srvs/srv/Trigger")
	at := strings.Index(answer, "/var/lib/")
	if at < 0 {
		g.t.Fatalf("record/start: %s", answer)
	}
	driverBag := answer[at:]
	driverBag = driverBag[:strings.IndexAny(driverBag+"\n", "'\" \n")]
	g.run("systemd-run -q --unit=recorder epuck-driver bag record --all -o " + commandBag)
	for _, bag := range []string{driverBag, commandBag} {
		g.await("five seconds in "+bag, func() (bool, string) {
			i, text := g.bag(bag)
			return i.End-i.Start > 5e9 && i.odometry() > 50 && len(i.Interrupted) == 1, text
		})
	}
	last := o.cut(g)
	g.awaitActive()
	for _, bag := range []string{driverBag, commandBag} {
		g.t.Logf("%s", g.run("epuck-driver bag recover %s", bag))
		i, text := g.bag(bag)
		if len(i.Interrupted) > 0 || len(i.Damage) > 0 || i.odometry() < 50 {
			g.t.Errorf("recovered: %s", text)
		}
		g.inTime("power cut: lost at the end of "+bag, last.Sub(time.Unix(0, i.End)), time.Second)
		g.run("test -s %s/metadata.yaml && rm -rf %s", bag, bag)
	}
}

// cut resets the machine and returns the stamp of the last odometry that was heard before, by the machine's clock.
func (o *outside) cut(g *guest) (last time.Time) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), 6*waitTimeout) // it boots
	defer cancel()
	booted := make(chan error, 1)
	go func() { booted <- g.machine.Reset(ctx) }()
	const silence = 15 // looks: it boots for longer
	same := 0
	g.await("silent", func() (bool, string) {
		now := o.last.Load().Header.Stamp.Time()
		if same++; !now.Equal(last) {
			last, same = now, 0
		}
		return same >= silence, now.String()
	})
	if err := <-booted; err != nil {
		g.t.Fatal(err)
	}
	return last
}

// bagInfo is what "bag info --json" says.
type bagInfo struct {
	Start       int64    `json:"start_ns"`
	End         int64    `json:"end_ns"`
	Interrupted []string `json:"interrupted"`
	Damage      []string `json:"damage"`
	Topics      []struct {
		Name     string `json:"name"`
		Messages int    `json:"messages"`
	} `json:"topics"`
}

func (i *bagInfo) odometry() int {
	for _, t := range i.Topics {
		if t.Name == "/odom" {
			return t.Messages
		}
	}
	return 0
}

// bag looks into a bag in the machine.
func (g *guest) bag(dir string) (i bagInfo, text string) {
	g.t.Helper()
	_, text = g.status("epuck-driver bag info --json " + dir)
	if err := json.Unmarshal([]byte(text), &i); err != nil {
		return bagInfo{}, text // it is not there yet
	}
	return i, text
}
