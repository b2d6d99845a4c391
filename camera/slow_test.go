// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"testing"
	"testing/synctest"
	"time"
)

// slowEncoder takes its time for each frame, as the robot's processor does.
type slowEncoder struct {
	Encoder
	takes time.Duration
}

func (e slowEncoder) Name() string { return "slow" }

func (e slowEncoder) Encode(dst []byte, f *Frame) ([]byte, error) {
	time.Sleep(e.takes)
	return e.Encoder.Encode(dst, f)
}

// TestSlowEncoder: when making pictures takes longer than a frame, frames are skipped, not queued: the camera continues
// at its pace and loses nothing, at most three of its frames are held, and each picture is of the latest frame there
// was.
func TestSlowEncoder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		p := newPipeline(t, Config{Device: cam, GPU: func(cfg EncoderConfig) (Encoder, error) {
			cpu, err := newCPUEncoder(cfg.Quality)
			return slowEncoder{cpu, 200 * time.Millisecond}, err
		}})
		a := new(album)
		var oldest time.Duration
		if _, err := p.Attach(Output{Encoding: Compressed}, func(im *Image) {
			oldest = max(oldest, time.Since(im.Stamp))
			a.add(im)
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		st := p.Status()
		if n := len(a.all()); n < 48 || n > 50 {
			t.Errorf("%d pictures in 10 s", n)
		}
		if st.Frames < 149 || st.Lost != 0 || st.Skipped < 98 || cam.held() > 3 {
			t.Errorf("%d frames, %d lost, %d skipped, %d held at once", st.Frames, st.Lost, st.Skipped, cam.held())
		}
		inOrder(t, a.all())
		_ = p.Close() // while a frame is being encoded and another waits
		if left := cam.leftOpen(); left != "" {
			t.Error(left)
		}
		if limit := 200*time.Millisecond + time.Second/15; oldest > limit {
			t.Errorf("a picture was %v old, at most %v", oldest, limit)
		}
	})
}
