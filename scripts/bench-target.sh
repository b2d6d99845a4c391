#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the program's load of the robot on an emulated ARM1176: instructions of each control cycle, message and
# picture against the budget, start and memory. Arguments of scripts/benchtarget: -run PATTERN, -top N.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./scripts/benchtarget "$@"
