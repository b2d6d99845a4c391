// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }
