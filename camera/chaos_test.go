// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestChaos does everything at once, at random: sinks come and go, settings change, the camera is pulled out, the GPU
// breaks. Whatever happens, pictures of a sink are in order, and in the end nothing is left.
func TestChaos(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { chaos(t, seed) })
		})
	}
}

func chaos(t *testing.T, seed uint64) {
	cam := newFakeCamera(small, Mode{32, 24, YUYV, 30}, Mode{64, 48, GREY, 15})
	gpu := &fakeGPU{depth: 2, delay: 50 * time.Millisecond}
	p := newPipeline(t, Config{Device: cam, GPU: gpu.openAsync, ISP: gpu.openISP})
	var wg sync.WaitGroup
	for worker := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, worker))
			for range 60 {
				disturb(t, p, cam, gpu, rng)
				time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
			}
		})
	}
	wg.Wait()
	cam.plug(true)
	gpu.set(false, false)
	set(t, p, Settings{Width: 32, Height: 24})
	a, _ := attach(t, p, Output{Encoding: RGB8})
	time.Sleep(10 * time.Second)
	synctest.Wait()
	if len(a.all()) < 140 {
		t.Errorf("%d pictures in the last 10 s, status %+v", len(a.all()), p.Status())
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if left := cam.leftOpen(); left != "" || gpu.left() != 0 {
		t.Errorf("%s; %d encoders and converters left open", left, gpu.left())
	}
}

// disturb does one thing at random.
func disturb(t *testing.T, p *Pipeline, cam *fakeCamera, gpu *fakeGPU, rng *rand.Rand) {
	encodings := append(RawEncodings(), Compressed, StampOnly)
	output := func() Output {
		o := Output{Encoding: encodings[rng.IntN(len(encodings))]}
		if rng.IntN(3) == 0 {
			o.Width, o.Height = 2+2*rng.IntN(40), 1+rng.IntN(60)
		}
		return o
	}
	switch rng.IntN(6) {
	case 0, 1:
		a, slow := new(album), time.Duration(rng.IntN(2))*100*time.Millisecond
		s, err := p.Attach(output(), func(im *Image) {
			a.add(im)
			time.Sleep(slow)
		})
		if err != nil {
			t.Error(err)
			return
		}
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
		if err := s.Set(output()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
		_ = s.Close()
		all := a.all()
		if !slices.IsSortedFunc(all, func(a, b Image) int { return a.Stamp.Compare(b.Stamp) }) {
			t.Error("pictures out of order")
		}
	case 2:
		err := p.Set(context.Background(), Settings{Width: 32 << rng.IntN(2), Height: 24, FrameRate: 1 + 30*rng.Float64(),
			Encoder: []EncoderChoice{Auto, GPU, CPU}[rng.IntN(3)], Quality: 1 + rng.IntN(100)})
		if err != nil {
			t.Error(err)
		}
	case 3:
		cam.plug(rng.IntN(2) == 0)
	case 4:
		gpu.set(rng.IntN(2) == 0, rng.IntN(2) == 0)
	default:
		_ = p.Status()
	}
}
