// SPDX-License-Identifier: Apache-2.0

package odometry

import "math"

// The error model. In an interval the paths pl, pr of the wheels' contact points have independent errors of variance
// SlipStd²·|pl|, SlipStd²·|pr|, and the turn has one of variance TurnStd²·|turn|. So the variance of the path of the
// axle's centre is SlipStd²(|pl|+|pr|)/4, that of the turn SlipStd²(|pl|+|pr|)/WheelDistance² + TurnStd²|turn|, and
// their covariance SlipStd²(|pr|−|pl|)/(2·WheelDistance).
//
// The geometry's error is constant, not independent in each interval, so it is propagated separately: sensitivity holds
// the derivatives of the pose by the relative errors of left radius, right radius and distance, and the pose's
// covariance is that of the slip plus sensitivity·Covariance·sensitivityᵀ.

// motionCovariance returns the variances of (path, turn) and their covariance: m², m·rad, rad².
func (o *Odometer) motionCovariance(pl, pr float64) (pp, pt, tt float64) {
	k, b := o.cfg.SlipStd*o.cfg.SlipStd, o.cfg.WheelDistance
	al, ar := math.Abs(pl), math.Abs(pr)
	turn := math.Abs(pr-pl) / b
	return float64(k * (al + ar) / 4), float64(k * (ar - al) / (2 * b)), float64(float64(k*(al+ar)/(b*b)) + float64(o.cfg.TurnStd*o.cfg.TurnStd*turn))
}

// matrix is a 3×3 matrix, row-major.
type matrix [9]float64

// geometry returns the derivatives of (path, turn) by the relative errors of left radius, right radius and distance.
func (o *Odometer) geometry(pl, pr float64) (path, turn [3]float64) {
	b := o.cfg.WheelDistance
	return [3]float64{pl / 2, pr / 2, 0}, [3]float64{-pl / b, pr / b, -(pr - pl) / b}
}

// propagate propagates the covariance of the slip and the sensitivity to the geometry over a motion: P' = F·P·Fᵀ +
// G·Q·Gᵀ and S' = F·S + G·D with F, G the derivatives of the new pose by the old pose and by (path, turn) at the middle
// heading, and D those of [Odometer.geometry].
func (o *Odometer) propagate(pl, pr float64) {
	path, turn := (pl+pr)/2, (pr-pl)/o.cfg.WheelDistance
	sin, cos := Sincos(o.s.Theta + float64(turn/2))
	pp, pt, tt := o.motionCovariance(pl, pr)
	// F = [1 0 fx; 0 1 fy; 0 0 1], G = [cos fx/2; sin fy/2; 0 1].
	fx, fy := -path*sin, path*cos
	gx, gy := fx/2, fy/2
	p := &o.slips
	// Each product is converted, so that none is fused with a sum: see Sincos.
	xx := p[0] + float64(2*float64(fx*p[2])) + float64(fx*fx*p[8])
	xy := p[1] + float64(fy*p[2]) + float64(fx*p[5]) + float64(fx*fy*p[8])
	yy := p[4] + float64(2*float64(fy*p[5])) + float64(fy*fy*p[8])
	xt, yt := p[2]+float64(fx*p[8]), p[5]+float64(fy*p[8])
	xx += float64(cos*cos*pp) + float64(2*cos*gx*pt) + float64(gx*gx*tt)
	xy += float64(cos*sin*pp) + float64((float64(cos*gy)+float64(sin*gx))*pt) + float64(gx*gy*tt)
	yy += float64(sin*sin*pp) + float64(2*sin*gy*pt) + float64(gy*gy*tt)
	xt += float64(cos*pt) + float64(gx*tt)
	yt += float64(sin*pt) + float64(gy*tt)
	*p = matrix{xx, xy, xt, xy, yy, yt, xt, yt, p[8] + tt}

	dp, dt := o.geometry(pl, pr)
	s := &o.sensitivity
	for k := range 3 {
		s[k] += float64(fx*s[6+k]) + float64(cos*dp[k]) + float64(gx*dt[k])
		s[3+k] += float64(fy*s[6+k]) + float64(sin*dp[k]) + float64(gy*dt[k])
		s[6+k] += dt[k]
	}
	o.s.PoseCovariance = o.poseCovariance()
}

// poseCovariance returns the sum of the covariances of slip and geometry.
func (o *Odometer) poseCovariance() [9]float64 {
	sum, s := o.slips, &o.sensitivity
	for i := range 3 {
		for j := i; j < 3; j++ {
			v := sum[3*i+j] + quadratic((*[3]float64)(s[3*i:]), &o.cfg.Covariance, (*[3]float64)(s[3*j:]))
			sum[3*i+j], sum[3*j+i] = v, v
		}
	}
	return sum
}

// quadratic returns aᵀ·c·b.
func quadratic(a *[3]float64, c *[9]float64, b *[3]float64) float64 {
	sum := 0.0
	for i := range 3 {
		for j := range 3 {
			sum += float64(a[i] * c[3*i+j] * b[j])
		}
	}
	return sum
}

// addUncounted increases the pose's covariance by an uncounted motion: for a uniformly distributed part of h seconds
// the wheels turned at their last speed. So path and turn are f times those of h seconds with E[f²] = 1/3, in the
// direction of the present heading.
func (o *Odometer) addUncounted(h float64) {
	path, turn := o.s.V*h, o.s.Omega*h
	sin, cos := Sincos(o.s.Theta)
	d := [3]float64{path * cos, path * sin, turn}
	for i := range 3 {
		for j := range 3 {
			o.slips[3*i+j] += float64(d[i] * d[j] / 3)
		}
	}
	o.s.PoseCovariance = o.poseCovariance()
}

// twistCovariance returns the covariance of (V, Omega) over an interval of h seconds: that of the motion plus that of
// the counters' rounding, divided by h².
func (o *Odometer) twistCovariance(pl, pr, h float64) [4]float64 {
	pp, pt, tt := o.motionCovariance(pl, pr)
	b := o.cfg.WheelDistance
	q := o.cfg.QuantStd * 2 * math.Pi / o.cfg.StepsPerTurn * o.cfg.WheelRadius
	pp += float64(q * q / 2)
	tt += float64(2*float64(q*q)) / float64(b*b)
	dp, dt := o.geometry(pl, pr)
	pp += quadratic(&dp, &o.cfg.Covariance, &dp)
	pt += quadratic(&dp, &o.cfg.Covariance, &dt)
	tt += quadratic(&dt, &o.cfg.Covariance, &dt)
	return [4]float64{pp / (h * h), pt / (h * h), pt / (h * h), tt / (h * h)}
}
