// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http"

	"github.com/epuck-ros2/epuck-driver/web/internal/metrics"
)

// serveMetrics serves a Prometheus scrape.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if _, err := s.guard.Check(r); err != nil {
		s.refuse(w, r, err)
		return
	}
	s.mark(r, authorised)
	var t metrics.Text
	stats, g := s.Stats(), s.hub.Graph()
	t.One("epuck_web_viewers", "gauge", "Viewers now.", float64(stats.Viewers))
	t.One("epuck_web_connections", "gauge", "Connections now.", float64(s.limited.pool.size()))
	t.One("epuck_web_refused_total", "counter", "Requests that were not let in.", float64(stats.Refused))
	t.One("epuck_web_subscriptions", "gauge", "Topics that viewers look at now.", float64(stats.Subscriptions))
	t.One("epuck_web_publications", "gauge", "Topics that viewers publish on now.", float64(stats.Publications))
	t.One("epuck_web_published_total", "counter", "Messages that viewers published.", float64(stats.Published))
	t.One("epuck_web_drivers", "gauge", "Robots that a viewer drives now.", float64(len(s.arbiter.State())))
	t.One("ros_nodes", "gauge", "Nodes of the network.", float64(len(g.Nodes)))
	t.One("ros_topics", "gauge", "Topics of the network.", float64(len(g.Topics)))
	metrics.Process(&t)
	metrics.Transport(&t, s.cfg.Transport)
	s.diagnostics.Write(r.Context(), &t)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(t.Bytes()) // the scraper has disconnected
}
