// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
)

func ExampleWrite() {
	var file bytes.Buffer
	err := report.Write(&file, &report.Report{Program: "v1"}, nil)
	r, err2 := report.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	_, other := report.Read(bytes.NewReader(nil), 0)
	fmt.Println(r.Program, r.Format == report.Format, err, err2, errors.Is(other, report.ErrFormat))
	// Output: v1 true <nil> <nil> true
}

func ExampleNewReplay() {
	tested, _ := simulated.New(1, "left-motor-dead")
	robot, person, recorder := report.Record(tested.Tested, tested)
	before, _ := checks.Run(context.Background(), robot, person, checks.Options{Quick: true})
	replay, _ := report.NewReplay(recorder.Bytes())
	now, err := replay.Run(context.Background(), true)
	fmt.Println(len(report.Differences(before, now)), replay.Missing, err)
	_, err = report.NewReplay(nil)
	fmt.Println(errors.Is(err, report.ErrRecording))
	// Output:
	// 0 0 <nil>
	// true
}
