// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"
)

// checkFiles checks, before the simulation starts, that its output files can be written.
func (o *simOptions) checkFiles() error {
	files := []struct{ flag, path string }{
		{"truth", o.truth}, {"snapshot", o.snapshot}, {"save", o.controller.savedIn()}, {"order-log", o.order.log},
	}
	if o.swarm.report != "" {
		files = append(files, []struct{ flag, path string }{{"report", o.swarm.report + ".csv"}, {"report", o.swarm.report + ".html"}}...)
	}
	for _, f := range files {
		if err := outfile.Files(f.path); err != nil {
			return fmt.Errorf("--%s: %w", f.flag, err)
		}
	}
	return nil
}
