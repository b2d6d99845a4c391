#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures on an emulated ARM1176 what the program costs the robot: instructions for each control cycle, message and
# picture against the budget, start and memory. Arguments go to scripts/benchtarget: -run PATTERN, -top N.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./scripts/benchtarget "$@"
