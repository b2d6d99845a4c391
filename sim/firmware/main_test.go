// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }
