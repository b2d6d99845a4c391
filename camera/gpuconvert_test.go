// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestConverter: raw images and scaling go to the GPU's converter when it is there, and to the CPU when it is not,
// fails or is not wanted.
func TestConverter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gpu := &fakeGPU{}
		log := new(logs)
		p := newPipeline(t, Config{Device: newFakeCamera(), ISP: gpu.openISP, Logger: log.logger()})
		a, s := attach(t, p, Output{Encoding: RGB8})
		step := func(what string, by string, fromGPU bool) {
			t.Helper()
			time.Sleep(time.Second)
			synctest.Wait()
			im := a.last(t)
			if got := im.Data[0] == 77 && im.Sequence != 77; got != fromGPU || p.Status().Converter != by {
				t.Errorf("%s: converter %q because %q, pixel %d", what, p.Status().Converter, p.Status().ConverterReason, im.Data[0])
			}
		}
		step("auto", "fake ISP", true)
		_ = s.Set(Output{Encoding: YUV422YUY2})
		step("nothing to do", "CPU", false)
		_ = s.Set(Output{Encoding: Mono8, Width: 32, Height: 24})
		step("scaled", "fake ISP", true)
		set(t, p, Settings{Width: 64, Height: 48, Encoder: CPU})
		step("cpu", "CPU", false)
		set(t, p, Settings{Width: 64, Height: 48, Encoder: Auto})
		step("auto again", "fake ISP", true)
		gpu.set(false, true)
		step("broken", "CPU", false)
		gpu.set(true, false)
		_ = s.Set(Output{Encoding: BGR8})
		step("can't be opened", "CPU", false)
		if n := log.count("camera: converter"); n > 8 {
			t.Errorf("%d lines about the converter:\n%s", n, log.b.String())
		}
		_ = p.Close()
		if gpu.left() != 0 {
			t.Errorf("%d converters left open", gpu.left())
		}
	})
}
