// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhichEncoder: what is chosen for each choice and machine, and why, in Status and once in the log.
func TestWhichEncoder(t *testing.T) {
	for _, c := range []struct {
		name     string
		choice   EncoderChoice
		gpu      bool
		missing  bool
		want     string
		why      string
		pictures bool
	}{
		{"auto with a GPU", Auto, true, false, "fake GPU", "encoder is auto", true},
		{"auto without", Auto, false, false, "CPU", "this machine has no GPU encoder", true},
		{"auto, GPU can't be opened", Auto, true, true, "CPU", "the GPU can't be used: the fake GPU is broken", true},
		{"gpu", GPU, true, false, "fake GPU", "encoder is gpu", true},
		{"gpu without", GPU, false, false, "none", "encoder is gpu, and this machine has no GPU", false},
		{"gpu can't be opened", GPU, true, true, "none", "encoder is gpu, and the GPU can't be used", false},
		{"cpu with a GPU", CPU, true, false, "CPU", "encoder is cpu", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gpu, log := &fakeGPU{missing: c.missing}, new(logs)
				cfg := Config{Device: newFakeCamera(), Logger: log.logger(), Settings: Settings{Encoder: c.choice}}
				if c.gpu {
					cfg.GPU = gpu.openSync
				}
				p := newPipeline(t, cfg)
				a, _ := attach(t, p, Output{Encoding: Compressed})
				raw, _ := attach(t, p, Output{Encoding: YUV422YUY2})
				time.Sleep(2 * time.Second)
				synctest.Wait()
				st := p.Status()
				if st.Encoder != c.want || !strings.Contains(st.EncoderReason, c.why) || log.count("JPEG encoder") != 1 {
					t.Errorf("encoder %q because %q; log:\n%s", st.Encoder, st.EncoderReason, log.b.String())
				}
				if got := len(a.all()) > 0; got != c.pictures || len(raw.all()) < 29 {
					t.Errorf("%d pictures, %d raw", len(a.all()), len(raw.all()))
				}
				if !c.pictures && (st.LastError == nil || st.Unmade == 0 || log.count("picture lost") != 1) {
					t.Errorf("status %+v, log:\n%s", st, log.b.String())
				}
				_ = p.Close()
				if n := gpu.left(); n != 0 {
					t.Errorf("%d encoders left open", n)
				}
			})
		})
	}
}

// TestGPUFailsLater: with auto the CPU takes over, and no picture is lost when the GPU works one by one; when the
// camera is opened again the GPU gets another chance.
func TestGPUFailsLater(t *testing.T) {
	for name, async := range map[string]bool{"one by one": false, "several in flight": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gpu := &fakeGPU{depth: 3, delay: 100 * time.Millisecond}
				open := gpu.openSync
				if async {
					open = gpu.openAsync
				}
				p := newPipeline(t, Config{Device: newFakeCamera(), GPU: open})
				a, s := attach(t, p, Output{Encoding: Compressed})
				time.Sleep(2 * time.Second)
				gpu.set(true, true)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				st := p.Status()
				if st.Encoder != "CPU" || !strings.Contains(st.EncoderReason, "the GPU failed: the fake GPU is broken") {
					t.Errorf("encoder %q because %q", st.Encoder, st.EncoderReason)
				}
				if n := len(a.all()); !async && n < 60 || n < 45 {
					t.Errorf("%d pictures in 4 s", n)
				}
				inOrder(t, a.all())
				_ = s.Close()
				synctest.Wait()
				gpu.set(false, false)
				attach(t, p, Output{Encoding: Compressed})
				time.Sleep(time.Second)
				synctest.Wait()
				if st := p.Status(); st.Encoder != "fake GPU" {
					t.Errorf("after reopening: encoder %q because %q", st.Encoder, st.EncoderReason)
				}
				_ = p.Close()
				if n := gpu.left(); n != 0 {
					t.Errorf("%d encoders left open", n)
				}
			})
		})
	}
}

func inOrder(t *testing.T, images []Image) {
	t.Helper()
	for i := 1; i < len(images); i++ {
		if images[i].Sequence <= images[i-1].Sequence || !images[i].Stamp.After(images[i-1].Stamp) {
			t.Fatalf("frame %d of %v came after frame %d of %v", images[i].Sequence, images[i].Stamp, images[i-1].Sequence, images[i-1].Stamp)
		}
	}
}

// TestGPUTriedAgain: if nothing else may encode, a GPU that failed is tried again, not too often.
func TestGPUTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gpu := &fakeGPU{}
		p := newPipeline(t, Config{Device: newFakeCamera(), GPU: gpu.openSync, Settings: Settings{Encoder: GPU}})
		defer p.Close()
		a, _ := attach(t, p, Output{Encoding: Compressed})
		time.Sleep(time.Second)
		gpu.set(false, true)
		time.Sleep(11 * time.Second)
		if n := gpu.opened(); n != 3 {
			t.Errorf("opened %d times in 12 s", n)
		}
		gpu.set(false, false)
		before := len(a.all())
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if st := p.Status(); len(a.all()) < before+15 || st.Encoder != "fake GPU" || st.LastError != nil {
			t.Errorf("%d pictures, status %+v", len(a.all())-before, st)
		}
	})
}

// TestSeveralInFlight: an encoder that takes three frame times for each picture but works on several keeps up, in
// order, with the right stamps, while raw images do not wait; one that is too slow loses frames, not order.
func TestSeveralInFlight(t *testing.T) {
	for _, c := range []struct {
		delay time.Duration
		want  int // pictures in 4 s of 15
		most  int
	}{{60 * time.Millisecond, 58, 3}, {200 * time.Millisecond, 19, 3}} {
		synctest.Test(t, func(t *testing.T) {
			gpu := &fakeGPU{depth: 3, delay: c.delay}
			cam := newFakeCamera()
			p := newPipeline(t, Config{Device: cam, GPU: gpu.openAsync})
			file, _ := attach(t, p, Output{Encoding: Compressed})
			raw, _ := attach(t, p, Output{Encoding: Mono8})
			time.Sleep(4 * time.Second)
			synctest.Wait()
			if n := len(file.all()); n < c.want-2 || n > c.want+2 || len(raw.all()) < 60 {
				t.Errorf("%v: %d JPEG and %d raw in 4 s", c.delay, n, len(raw.all()))
			}
			inOrder(t, file.all())
			stamps := map[uint32]time.Time{}
			for _, im := range raw.all() {
				stamps[im.Sequence] = im.Stamp
			}
			for _, im := range file.all() {
				if stamps[im.Sequence] != im.Stamp {
					t.Fatalf("JPEG %d has stamp %v, raw %v", im.Sequence, im.Stamp, stamps[im.Sequence])
				}
				if w, h := jpegSize(t, im.Data); w != 64 || h != 48 {
					t.Fatalf("%d×%d", w, h)
				}
			}
			if late, unmade := c.delay > time.Second/15, p.Status().Unmade; late != (unmade > 0) {
				t.Errorf("%v: %d pictures unmade", c.delay, unmade)
			}
			_ = p.Close()
			if left := cam.leftOpen(); left != "" || gpu.left() != 0 {
				t.Errorf("%s; %d encoders", left, gpu.left())
			}
		})
	}
}

// TestGPUHangs: an encoder that gives nothing back is given up after two seconds, and the CPU takes over.
func TestGPUHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gpu := &fakeGPU{depth: 3, hangs: true}
		p := newPipeline(t, Config{Device: newFakeCamera(), GPU: gpu.openAsync})
		defer p.Close()
		a, _ := attach(t, p, Output{Encoding: Compressed})
		time.Sleep(4 * time.Second)
		synctest.Wait()
		st := p.Status()
		if n := len(a.all()); n < 28 || st.Encoder != "CPU" || !strings.Contains(st.EncoderReason, "nothing from the encoder for 2s") {
			t.Errorf("%d pictures, encoder %q because %q", n, st.Encoder, st.EncoderReason)
		}
		if gpu.left() != 0 {
			t.Error("the encoder is still open")
		}
	})
}

// TestOneFrameCannotBeEncoded: only that picture is lost.
func TestOneFrameCannotBeEncoded(t *testing.T) {
	for name, async := range map[string]bool{"one by one": false, "several in flight": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gpu := &fakeGPU{depth: 3, damaged: func(n int) bool { return n%3 == 0 }}
				open := gpu.openSync
				if async {
					open = gpu.openAsync
				}
				p := newPipeline(t, Config{Device: newFakeCamera(), GPU: open})
				defer p.Close()
				a, _ := attach(t, p, Output{Encoding: Compressed})
				time.Sleep(2 * time.Second)
				synctest.Wait()
				st := p.Status()
				if n := len(a.all()); n < 19 || n > 21 || st.Unmade < 9 || st.Encoder != "fake GPU" || gpu.opened() != 1 {
					t.Errorf("%d pictures of 30, status %+v", n, st)
				}
				inOrder(t, a.all())
			})
		})
	}
}

// TestChoiceWhileRunning: the encoder changes from picture to picture, the camera stays open.
func TestChoiceWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gpu, cam := &fakeGPU{depth: 2}, newFakeCamera()
		p := newPipeline(t, Config{Device: cam, GPU: gpu.openAsync})
		a, _ := attach(t, p, Output{Encoding: Compressed})
		for _, c := range []struct {
			choice EncoderChoice
			want   string
		}{{Auto, "fake GPU"}, {CPU, "CPU"}, {GPU, "fake GPU"}, {CPU, "CPU"}} {
			set(t, p, Settings{Width: 64, Height: 48, Encoder: c.choice})
			before := len(a.all())
			time.Sleep(time.Second)
			synctest.Wait()
			if st := p.Status(); st.Encoder != c.want || len(a.all()) < before+14 {
				t.Errorf("%s: encoder %q, %d pictures", c.choice, st.Encoder, len(a.all())-before)
			}
		}
		if cam.opens() != 1 || gpu.left() != 0 {
			t.Errorf("camera opened %d times, %d encoders open", cam.opens(), gpu.left())
		}
		_ = p.Close()
	})
}

// TestOneSizeEach: sinks of different sizes have an encoder each, of their size, closed when the sink goes.
func TestOneSizeEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gpu := &fakeGPU{depth: 2}
		p := newPipeline(t, Config{Device: newFakeCamera(), GPU: gpu.openAsync})
		large, _ := attach(t, p, Output{Encoding: Compressed})
		tiny, s := attach(t, p, Output{Encoding: Compressed, Width: 32, Height: 24})
		attach(t, p, Output{Encoding: Compressed})
		time.Sleep(time.Second)
		synctest.Wait()
		if w, _ := jpegSize(t, large.last(t).Data); w != 64 {
			t.Errorf("large is %d wide", w)
		}
		if w, _ := jpegSize(t, tiny.last(t).Data); w != 32 {
			t.Errorf("tiny is %d wide", w)
		}
		if gpu.opened() != 2 {
			t.Errorf("%d encoders", gpu.opened())
		}
		_ = s.Close()
		time.Sleep(time.Second)
		synctest.Wait()
		if gpu.left() != 1 {
			t.Errorf("%d encoders open after the sink went", gpu.left())
		}
		_ = p.Close()
	})
}
