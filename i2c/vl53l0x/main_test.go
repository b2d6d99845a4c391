// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
