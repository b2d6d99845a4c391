// SPDX-License-Identifier: Apache-2.0

// Package experiment runs a swarm for a grid of parameters and a list of seeds, on all processors of a machine or, by
// Slurm, on many machines.
//
// An experiment file is one YAML mapping:
//
// name: gathering               # letters, digits, _ and -; used in the results' file names
// world: arena                  # a built-in world, or a file relative to this one
// robots: 20                    # instead of the world's own
// distribution: uniform         # or grid, gaussian, ring; default uniform
// level: functional             # or firmware, or world: as in the world file; default functional
// controller: aggregate         # one of swarm.Controllers; or
// command: [./mine, "{speed}"]  # … a program that executes one run, see below
// duration: 120                 # s, simulated
// period: 0.1                   # s, of control; default 0.1
// stop:                         # ends a run early, when a figure has reached a value
//
//	largest: 0.9                # collisions, covered, spread, clusters, largest or way
//
// seeds: [1, 2, 3]              # or seeds: {from: 1, count: 30}
// parameters:                   # every combination is run with every seed
//
//	leave: [0.2, 0.4]           # of the controller, or "robots"
//
// Runs are numbered from 0: the seeds vary fastest, then the last parameter. Each run writes its own file at its end,
// so that an interrupted experiment continues with the missing runs. [Collect] writes a table of all runs, as CSV and
// Parquet, and a page with means, confidence intervals and plots.
//
// A command is started in the folder of the experiment file, with {NAME} in its arguments replaced by a parameter,
// {seed}, {robots} or {run}, and prints the figures of its run as one JSON object. It is killed when this program
// ends.
//
// A changed file, or one with a changed world file, is another experiment: their results are not mixed.
package experiment

import "errors"

// Errors of this package.
var (
	// errFile is matched when an experiment file is invalid; the message names line and field.
	errFile = errors.New("experiment: file")
	// errResult is matched when a result is damaged or belongs to another experiment.
	errResult = errors.New("experiment: result")
	// errCommand is matched when a command failed or printed no figures.
	errCommand = errors.New("experiment: command")
	// errBusy is matched when another program executes runs in the same folder.
	errBusy = errors.New("experiment: another program uses the folder")
)
