// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

const (
	pictureType    = "sensor_msgs/msg/CompressedImage"
	defaultPicture = "/image_raw/compressed"
	boundary       = "epuckframe"
)

// serveStream sends the JPEG pictures of ?topic=… as a multipart stream, as network cameras do; OpenCV's VideoCapture
// and VLC read it. A slow reader gets fewer pictures.
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request, _ guard.Role) {
	topic := r.URL.Query().Get("topic")
	if topic == "" {
		topic = defaultPicture
	}
	box := outbox.New(0)
	defer box.Close()
	flow := box.Flow(outbox.FlowOptions{})
	cancel, err := s.hub.Subscribe(topic, pictureType, func(m *hub.Message) { flow.Put(outbox.Frame{Body: m.Data, Convert: jpegPart}) })
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer cancel()
	h := w.Header()
	h.Set("Content-Type", "multipart/x-mixed-replace; boundary="+boundary)
	h.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	w.WriteHeader(http.StatusOK)
	if control.Flush() != nil {
		return
	}
	var frames []outbox.Frame
	for {
		if frames, err = box.Next(r.Context(), frames[:0], 1); err != nil {
			return
		}
		part := frames[0].Convert(frames[0].Body)
		if part == nil {
			continue
		}
		if _, err := w.Write(part); err != nil || control.Flush() != nil {
			return
		}
	}
}

// jpegPart makes a part of the stream from a CompressedImage; nil if it is no JPEG.
func jpegPart(body []byte) []byte {
	var m sensor_msgs.CompressedImage
	if cdr.Unmarshal(body, &m) != nil || len(m.Data) < 2 || m.Data[0] != 0xff || m.Data[1] != 0xd8 {
		return nil
	}
	part := fmt.Appendf(make([]byte, 0, len(m.Data)+100), "--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %s\r\n\r\n", boundary, strconv.Itoa(len(m.Data)))
	return append(append(part, m.Data...), "\r\n"...)
}
