// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestMadeOnce: sinks that want the same share one picture, whether they say so or leave it to the settings.
func TestMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Config{Device: newFakeCamera(), Settings: Settings{Width: 64, Height: 48, Quality: 70}})
		defer p.Close()
		var albums []*album
		for _, o := range []Output{
			{Encoding: RGB8}, {Encoding: RGB8, Width: 64, Height: 48}, {Encoding: RGB8, Quality: 5}, // one kind
			{Encoding: Compressed}, {Encoding: Compressed, Quality: 70}, // another
			{Encoding: Compressed, Quality: 5}, // and a third
		} {
			a, _ := attach(t, p, o)
			albums = append(albums, a)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		st := p.Status()
		if st.Pictures != 3*st.Frames || len(p.groups) != 3 {
			t.Errorf("%d pictures of %d frames in %d groups, want three each", st.Pictures, st.Frames, len(p.groups))
		}
		for i, a := range albums {
			if len(a.all()) != int(st.Frames) {
				t.Errorf("sink %d got %d of %d", i, len(a.all()), st.Frames)
			}
		}
		if len(albums[3].last(t).Data) <= len(albums[5].last(t).Data) {
			t.Error("quality 70 is no larger than quality 5")
		}
	})
}

// TestMemoryIsUsedAgain: with a quick and a slow sink there are never more pictures than they can hold and one in the
// making.
func TestMemoryIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Config{Device: newFakeCamera()})
		defer p.Close()
		attach(t, p, Output{Encoding: Mono8})
		if _, err := p.Attach(Output{Encoding: Mono8}, func(*Image) { time.Sleep(300 * time.Millisecond) }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		held := 0
		for _, s := range p.sinks {
			if s.pending != nil {
				held++
			}
		}
		if n := len(p.groups[0].free) + held + len(p.sinks); n > 2*len(p.sinks)+1 {
			t.Errorf("%d pictures for %d sinks", n, len(p.sinks))
		}
	})
}

// TestEncoderStaysWithItsGroup: what a group has survives other sinks' comings and goings.
func TestEncoderStaysWithItsGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gpu := &fakeGPU{depth: 2}
		p := newPipeline(t, Config{Device: newFakeCamera(), GPU: gpu.openAsync})
		defer p.Close()
		attach(t, p, Output{Encoding: Compressed})
		for range 5 {
			_, same := attach(t, p, Output{Encoding: Compressed})
			_, raw := attach(t, p, Output{Encoding: RGB8})
			time.Sleep(300 * time.Millisecond)
			_ = same.Close()
			time.Sleep(300 * time.Millisecond)
			_ = raw.Close()
		}
		synctest.Wait()
		if n := gpu.opened(); n != 1 {
			t.Errorf("the encoder was opened %d times", n)
		}
	})
}
