// SPDX-License-Identifier: Apache-2.0

package odometry

import "math"

// The error model. In an interval the paths pl, pr of the wheels' contact points have independent errors of variance
// SlipStd²·|pl|, SlipStd²·|pr|, and the turn has one of variance TurnStd²·|turn|. So the variance of the path of the
// middle is SlipStd²(|pl|+|pr|)/4, that of the turn SlipStd²(|pl|+|pr|)/WheelDistance² + TurnStd²|turn|, and their
// covariance SlipStd²(|pr|−|pl|)/(2·WheelDistance).

// motionCovariance gives the variances of (path, turn) and their covariance: m², m·rad, rad².
func (o *Odometer) motionCovariance(pl, pr float64) (pp, pt, tt float64) {
	k, b := o.cfg.SlipStd*o.cfg.SlipStd, o.cfg.WheelDistance
	al, ar := math.Abs(pl), math.Abs(pr)
	turn := math.Abs(pr-pl) / b
	return k * (al + ar) / 4, k * (ar - al) / (2 * b), k*(al+ar)/(b*b) + o.cfg.TurnStd*o.cfg.TurnStd*turn
}

// poseCovariance propagates the pose covariance over a motion: P' = F·P·Fᵀ + G·Q·Gᵀ with F, G the derivatives of the
// new pose by the old pose and by (path, turn), taken at the middle heading.
func (o *Odometer) poseCovariance(pl, pr float64) [9]float64 {
	path, turn := (pl+pr)/2, (pr-pl)/o.cfg.WheelDistance
	sin, cos := math.Sincos(o.s.Theta + turn/2)
	pp, pt, tt := o.motionCovariance(pl, pr)
	// F = [1 0 fx; 0 1 fy; 0 0 1], G = [cos fx/2; sin fy/2; 0 1].
	fx, fy := -path*sin, path*cos
	p := &o.s.PoseCovariance
	xx := p[0] + 2*fx*p[2] + fx*fx*p[8]
	xy := p[1] + fy*p[2] + fx*p[5] + fx*fy*p[8]
	yy := p[4] + 2*fy*p[5] + fy*fy*p[8]
	xt, yt := p[2]+fx*p[8], p[5]+fy*p[8]
	gx, gy := fx/2, fy/2
	xx += cos*cos*pp + 2*cos*gx*pt + gx*gx*tt
	xy += cos*sin*pp + (cos*gy+sin*gx)*pt + gx*gy*tt
	yy += sin*sin*pp + 2*sin*gy*pt + gy*gy*tt
	xt += cos*pt + gx*tt
	yt += sin*pt + gy*tt
	return [9]float64{xx, xy, xt, xy, yy, yt, xt, yt, p[8] + tt}
}

// twistCovariance gives the covariance of (V, Omega) over an interval of h seconds: the motion's, plus the rounding of
// the counters, divided by the square of the time.
func (o *Odometer) twistCovariance(pl, pr, h float64) [4]float64 {
	pp, pt, tt := o.motionCovariance(pl, pr)
	b := o.cfg.WheelDistance
	q := o.cfg.QuantStd * 2 * math.Pi / o.cfg.StepsPerTurn * o.cfg.WheelRadius
	pp += q * q / 2
	tt += 2 * q * q / (b * b)
	return [4]float64{pp / (h * h), pt / (h * h), pt / (h * h), tt / (h * h)}
}
