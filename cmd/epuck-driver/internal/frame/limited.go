// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"context"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Limited returns a context that is cancelled after d; zero means no limit. Its error is context.Canceled.
func Limited(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	limit, cancel := context.WithCancel(ctx)
	timer := task.AfterFunc(d, "end of the time", cancel)
	return limit, func() { timer.Stop(); cancel() }
}
