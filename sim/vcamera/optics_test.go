// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// drawWith is draw for a camera with optics.
func drawWith(t testing.TB, o vcamera.Optics, s *vcamera.Scene, d vcamera.Development) picture {
	t.Helper()
	r, err := vcamera.NewRendererWith(o, noise.New(1))
	if err != nil {
		t.Fatal(err)
	}
	p := make(picture, vcamera.FrameSize)
	r.Render(p, s, geom.Pose{}, d)
	return p
}

// by returns a manual exposure at gain 1 that makes white a share of the brightest value.
func by(share float64) vcamera.Development {
	return vcamera.Development{Exposure: time.Duration(share * 20e6), Gain: 1, Red: 1, Green: 1, Blue: 1}
}

// grey is a wall that fills the picture before a white floor: of one brightness everywhere.
func greyWall() *vcamera.Scene {
	return &vcamera.Scene{Light: 1, Things: []vcamera.Thing{
		{Shape: geom.NewBox(geom.Vec{X: 0.05}, geom.Vec{X: 0.01, Y: 1}, 0, 1), Colour: vcamera.RGB{R: 255, G: 255, B: 255}},
	}}
}

// moments returns mean and variance of the luma in a part of the picture.
func (p picture) moments(left, top, right, bottom int) (mean, variance float64) {
	var sum, squares, n float64
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			v, _, _ := p.at(x, y)
			sum, squares, n = sum+float64(v), squares+float64(v*v), n+1
		}
	}
	mean = sum / n
	return mean, squares/n - mean*mean
}

// TestNoOptics: without distortion, vignetting and noise the picture is that of the ideal camera, up to one step of
// rounding, and a sensor's path that changes nothing gives it, too.
func TestNoOptics(t *testing.T) {
	ideal := draw(t, everything(), geom.Pose{}, vcamera.Development{})
	if drawWith(t, vcamera.Optics{}, everything(), vcamera.Development{}).hash() != ideal.hash() {
		t.Error("the zero value is not the ideal camera")
	}
	tiny := drawWith(t, vcamera.Optics{Noise: 1e-9}, everything(), vcamera.Development{})
	for i := range ideal {
		if d := int(ideal[i]) - int(tiny[i]); d < -1 || d > 1 {
			t.Fatalf("byte %d: %d, want %d", i, tiny[i], ideal[i])
		}
	}
}

// TestPhotonTransfer: the variance of the noise grows in a straight line with the mean (the photons'), from that of
// reading, and white has the signal-to-noise ratio of the data sheet, black its dynamic range; amplification makes the
// photons' part grow with the gain and that of reading with its square.
func TestPhotonTransfer(t *testing.T) {
	const (
		read  = 255 / 398.107 // 52 dB
		white = 255 / 199.526 // 46 dB
	)
	luma := math.Sqrt(77*77+150*150+29*29) / 256 // three independent colours make the luma
	var means, variances []float64
	for _, share := range []float64{0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8} {
		m, v := drawWith(t, vcamera.Optics{Noise: 1}, greyWall(), by(share)).moments(0, 0, 640, 480)
		_, flat := drawWith(t, vcamera.Optics{Noise: 1e-9}, greyWall(), by(share)).moments(0, 0, 640, 480)
		if flat > 0.3 {
			t.Fatalf("the wall is not of one brightness: variance %.2f", flat)
		}
		want := (read*read+m/255*(white*white-read*read))*luma*luma + 1./12 // of the rounding
		if math.Abs(v/want-1) > 0.06 {
			t.Errorf("mean %.1f: variance %.3f, want %.3f", m, v, want)
		}
		means, variances = append(means, m), append(variances, v)
	}
	slope, offset, worst := line(means, variances)
	if math.Abs(slope/((white*white-read*read)*luma*luma/255)-1) > 0.1 || worst > 0.03 {
		t.Errorf("slope %.5f, offset %.3f, off the line by %.3f", slope, offset, worst)
	}
	// At equal brightness, eight times the gain: eight times the photons' variance, 64 times that of reading.
	d := by(0.4 / 8)
	d.Gain = 8
	m, v := drawWith(t, vcamera.Optics{Noise: 1}, greyWall(), d).moments(0, 0, 640, 480)
	want := (64*read*read+8*m/255*(white*white-read*read))*luma*luma + 1./12
	if math.Abs(v/want-1) > 0.06 {
		t.Errorf("gain 8: mean %.1f, variance %.3f, want %.3f", m, v, want)
	}
}

// line fits a straight line and returns the largest distance of a point from it.
func line(x, y []float64) (slope, offset, worst float64) {
	var sx, sy, sxx, sxy float64
	n := float64(len(x))
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	slope = (n*sxy - sx*sy) / (n*sxx - sx*sx)
	offset = (sy - slope*sx) / n
	for i := range x {
		worst = max(worst, math.Abs(y[i]-offset-slope*x[i]))
	}
	return slope, offset, worst
}

// TestNoiseOfAPicture: equal samples have equal noise, others and other cameras have independent noise.
func TestNoiseOfAPicture(t *testing.T) {
	noisy := func(seed, sample uint64) picture {
		r, err := vcamera.NewRendererWith(vcamera.Optics{Noise: 1}, noise.New(seed))
		if err != nil {
			t.Fatal(err)
		}
		p, d := make(picture, vcamera.FrameSize), by(0.5)
		d.Sample = sample
		r.Render(p, greyWall(), geom.Pose{}, d)
		return p
	}
	first := noisy(1, 7)
	if noisy(1, 7).hash() != first.hash() {
		t.Error("the same sample has other noise")
	}
	_, alone := first.moments(0, 0, 640, 480)
	for what, other := range map[string]picture{"another sample": noisy(1, 8), "another camera": noisy(2, 7)} {
		difference := make(picture, len(first))
		for i := range difference {
			difference[i] = byte(128 + int(first[i]) - int(other[i]))
		}
		if _, v := difference.moments(0, 0, 640, 480); math.Abs(v/(2*alone)-1) > 0.05 {
			t.Errorf("%s: the difference has variance %.3f, want %.3f", what, v, 2*alone)
		}
	}
}

// TestVignetting: the light falls with the power of the cosine of the angle to the axis, in the corners and between.
func TestVignetting(t *testing.T) {
	plain := drawWith(t, vcamera.Optics{Noise: 1e-9}, greyWall(), by(0.9))
	for _, power := range []int{2, 4, 7} {
		p := drawWith(t, vcamera.Optics{Vignetting: power}, greyWall(), by(0.9))
		for _, at := range [][2]int{{320, 224}, {0, 0}, {639, 0}, {0, 479}, {639, 479}, {160, 120}, {500, 224}, {320, 400}} {
			x, y := (float64(at[0])-320.06)/940.83, (float64(at[1])-223.64)/942.66
			got, _, _ := p.at(at[0], at[1])
			full, _, _ := plain.at(at[0], at[1])
			nearly(t, "light", got, float64(full)*math.Pow(1+x*x+y*y, -float64(power)/2), 1)
		}
	}
	// What is far too bright stays white in the corners: the light is lost before the sensor clips.
	if got, _, _ := drawWith(t, vcamera.Optics{Vignetting: 4}, greyWall(), by(3)).at(0, 0); got < 254 {
		t.Errorf("the corner of an overexposed wall is %d", got)
	}
}

// TestExposureIsLinear: twice the exposure or the gain is twice the signal, until white.
func TestExposureIsLinear(t *testing.T) {
	for name, o := range map[string]vcamera.Optics{"ideal": {}, "real": {Noise: 1, Vignetting: 4}} {
		mean := func(d vcamera.Development) float64 {
			m, _ := drawWith(t, o, greyWall(), d).moments(300, 200, 340, 240)
			return m
		}
		for _, share := range []float64{0.1, 0.2, 0.4} {
			once, twice, gain := mean(by(share)), mean(by(2*share)), by(share)
			gain.Gain = 2
			if math.Abs(twice-2*once) > 1.5 || math.Abs(mean(gain)-2*once) > 1.5 { // values are whole numbers
				t.Errorf("%s, share %g: %.2f, twice exposed %.2f, twice amplified %.2f", name, share, once, twice, mean(gain))
			}
		}
		if m := mean(by(2.5)); m < 254.9 {
			t.Errorf("%s: overexposed %.2f", name, m)
		}
	}
}

// TestDistortedGrid: the edges of boards that are before the lens in a grid are where the closed form of Brown and
// Conrady has them.
func TestDistortedGrid(t *testing.T) {
	const depth, halfWidth = 0.2, 0.004
	step, heights := 3, []float64{0.05}
	if suite.Long {
		step, heights = 1, []float64{0.03, 0.05, 0.07}
	}
	for name, d := range map[string]vcamera.Distortion{
		"barrel": {K1: -0.3, K2: 0.08}, "pincushion": {K1: 0.25, K3: 0.1}, "decentred": {K1: -0.1, P1: 0.01, P2: -0.015},
	} {
		for side := -3; side <= 3; side += step {
			for _, height := range heights {
				left := float64(side) * 0.018
				s := &vcamera.Scene{Light: 1, Things: []vcamera.Thing{{
					Shape:  geom.NewBox(geom.Vec{X: 0.030 + depth + 0.0005, Y: left}, geom.Vec{X: 0.001, Y: 2 * halfWidth}, 0, height),
					Colour: red,
				}}}
				box, n := drawWith(t, vcamera.Optics{Distortion: d}, s, vcamera.Development{}).box(red)
				if n == 0 {
					t.Fatalf("%s: nothing at %g", name, left)
				}
				low, high := [2]float64{999, 999}, [2]float64{-999, -999}
				for i := range 101 {
					part := float64(i) / 100
					for _, p := range [][2]float64{
						{left - halfWidth, part * height}, {left + halfWidth, part * height}, {left + (2*part-1)*halfWidth, height},
					} {
						at := distorted(d, -p[0]/depth, -(p[1]-0.028)/depth)
						if at[1] > 479 {
							continue
						}
						for k := range at {
							low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
						}
					}
				}
				nearly(t, name+": left edge", box.Min.X, max(0, low[0]), 2)
				nearly(t, name+": right edge", box.Max.X, min(639, high[0]), 2)
				nearly(t, name+": upper edge", box.Min.Y, max(0, low[1]), 2)
			}
		}
	}
}

// distorted returns the pixel of a direction: an own reading of the model.
func distorted(d vcamera.Distortion, x, y float64) [2]float64 {
	r2 := x*x + y*y
	radial := 1 + d.K1*r2 + d.K2*r2*r2 + d.K3*r2*r2*r2
	return [2]float64{
		320.06 + 940.83*(x*radial+2*d.P1*x*y+d.P2*(r2+2*x*x)),
		223.64 + 942.66*(y*radial+d.P1*(r2+2*y*y)+2*d.P2*x*y),
	}
}

// TestLightSourcesKeepTheirBrightness: LEDs and lamps shine by themselves: at a fixed exposure they are as bright in
// the dark, and the automatic exposure makes them brighter there.
func TestLightSourcesKeepTheirBrightness(t *testing.T) {
	at := func(light, intensity float64, d vcamera.Development) (led, lamp int) {
		s := &vcamera.Scene{
			Light:  light,
			Bodies: []vcamera.Body{{Pose: geom.Pose{X: 0.25, Theta: math.Pi}, LEDs: [8]vcamera.RGB{{R: 200}}}},
			Lamps:  []vcamera.Lamp{{Position: geom.Vec{X: 0.25, Y: 0.05}, Height: 0.08, Intensity: intensity}},
		}
		p := draw(t, s, geom.Pose{}, d)
		u, v := project(geom.Pose{}, 0.25-0.035, 0, 0.036)
		led, _, _ = p.at(int(u), int(v))
		u, v = project(geom.Pose{}, 0.25, 0.05, 0.08)
		lamp, _, _ = p.at(int(u), int(v))
		return led, lamp
	}
	bright, half := at(1, 5e-5, by(1))
	led, lamp := at(0.01, 5e-5, by(1))
	if led < bright*8/10 || lamp != half || half < 120 || half > 135 { // haze shines on the LED by day
		t.Errorf("LED %d by day and %d in the dark, lamp %d and %d", bright, led, half, lamp)
	}
	if auto, lamp := at(0.05, 5e-5, vcamera.Development{}); auto <= bright || lamp < 250 {
		t.Errorf("automatic exposure in the dark: LED %d, by day %d; lamp %d", auto, bright, lamp)
	}
	if _, strong := at(1, 0.05, by(1)); strong < 254 {
		t.Errorf("a lamp of 0.05 W/sr is %d", strong)
	}
}

// TestDistortionsOfWorldFilesCanBeDrawn: those at the limits of world files can.
func TestDistortionsOfWorldFilesCanBeDrawn(t *testing.T) {
	step := 5 // of the 32 combinations of signs
	if suite.Long {
		step = 1
	}
	for i := 0; i < 1<<5; i += step {
		sign := func(bit int, most float64) float64 { return most * float64(2*(i>>bit&1)-1) }
		d := vcamera.Distortion{K1: sign(0, 0.4), K2: sign(1, 0.4), P1: sign(2, 0.02), P2: sign(3, 0.02), K3: sign(4, 0.4)}
		if _, err := vcamera.NewRendererWith(vcamera.Optics{Distortion: d}, noise.Source{}); err != nil {
			t.Error(err)
		}
	}
	if _, err := vcamera.NewRendererWith(vcamera.Optics{Distortion: vcamera.Distortion{K1: -4}}, noise.Source{}); err == nil {
		t.Error("a distortion that folds the picture was drawn")
	}
}

// TestOpticsAllocateNothing: no memory per frame.
func TestOpticsAllocateNothing(t *testing.T) {
	r, err := vcamera.NewRendererWith(vcamera.Optics{Noise: 1, Vignetting: 4, Distortion: vcamera.Distortion{K1: -0.2}}, noise.New(1))
	if err != nil {
		t.Fatal(err)
	}
	p, s := make(picture, vcamera.FrameSize), everything()
	r.Render(p, s, geom.Pose{}, vcamera.Development{})
	if n := testing.AllocsPerRun(3, func() { r.Render(p, s, geom.Pose{}, vcamera.Development{Sample: 3}) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// BenchmarkOptics draws frames with each of the properties of a real camera.
func BenchmarkOptics(b *testing.B) {
	barrel := vcamera.Distortion{K1: -0.2, K2: 0.05}
	for _, c := range []struct {
		name   string
		optics vcamera.Optics
	}{
		{"ideal", vcamera.Optics{}}, {"vignetting", vcamera.Optics{Vignetting: 4}}, {"noise", vcamera.Optics{Noise: 1}},
		{"distortion", vcamera.Optics{Distortion: barrel}}, {"all", vcamera.Optics{Distortion: barrel, Vignetting: 4, Noise: 1}},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, err := vcamera.NewRendererWith(c.optics, noise.New(1))
			if err != nil {
				b.Fatal(err)
			}
			p, s := make(picture, vcamera.FrameSize), everything()
			for b.Loop() {
				r.Render(p, s, geom.Pose{}, vcamera.Development{})
			}
		})
	}
}
