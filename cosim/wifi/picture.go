// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// painter draws what a camera shows, as vcamera.Camera does.
type painter interface{ Picture(frame []byte) }

// lens takes the pictures of a robot.
type lens struct {
	camera camera.Device
	frame  []byte
}

// picture fills in p: every fourth pixel of every fourth row (main.c, SUBSAMPLING_X4). A camera that can't draw leaves
// it as it was.
func (l *lens) picture(p *[packet.PictureSize]byte) {
	from, ok := l.camera.(painter)
	if !ok {
		return
	}
	if l.frame == nil {
		l.frame = make([]byte, vcamera.FrameSize)
	}
	from.Picture(l.frame)
	const step = vcamera.Width / packet.PictureWidth
	for y := range packet.PictureHeight {
		for x := range packet.PictureWidth {
			at := 2 * (step*y*vcamera.Width + step*x) // an even pixel: Y Cb Y Cr
			p[2*(y*packet.PictureWidth+x)], p[2*(y*packet.PictureWidth+x)+1] = packet.RGB565(colour(l.frame[at], l.frame[at+1], l.frame[at+3]))
		}
	}
}

// colour converts a pixel, BT.601 with all values, in 16 fraction bits.
func colour(luma, blue, red uint8) (r, g, b uint8) {
	y, cb, cr := int(luma)<<16, int(blue)-128, int(red)-128
	part := func(v int) uint8 { return uint8(max(0, min(255, (v+1<<15)>>16))) }
	return part(y + 91881*cr), part(y - 22554*cb - 46802*cr), part(y + 116130*cb)
}
