// SPDX-License-Identifier: Apache-2.0

// Package experiment runs a swarm many times: a grid of parameters times a list of seeds, on all processors of a
// machine or, by Slurm, on many machines.
//
// An experiment file is one YAML mapping:
//
//	name: gathering               # letters, digits, _ and -; names the results
//	world: arena                  # a built-in world, or a file in this one's folder
//	robots: 20                    # instead of the world's own
//	distribution: uniform         # or grid, gaussian, ring; default uniform
//	level: functional             # firmware, or world: as in the world file; default functional
//	controller: aggregate         # one of swarm.Controllers; or
//	command: [./mine, "{speed}"]  # … a program that does one run, see below
//	duration: 120                 # s, simulated
//	period: 0.1                   # s, of control; default 0.1
//	stop:                         # ends a run before, when a figure has reached a value
//	  largest: 0.9                # collisions, covered, spread, clusters, largest or way
//	seeds: [1, 2, 3]              # or seeds: {from: 1, count: 30}
//	parameters:                   # every combination is run with every seed
//	  leave: [0.2, 0.4]           # of the controller, or "robots"
//
// Runs are numbered from 0 on: the seeds vary fastest, then the last parameter. Each writes one file of its own when it
// has ended, so an experiment that is interrupted, whenever and however, continues where it was; nothing is run twice.
// [Collect] makes one table of them, as CSV and Parquet, and a page with means, confidence intervals and plots.
//
// A command is started in the folder of the experiment file, with {NAME} in its arguments replaced by a parameter,
// {seed}, {robots} or {run}, and prints the figures of its run as one JSON object. It ends when this program ends.
//
// A file that has changed is another experiment, and so is one whose world file has: their results are not mixed.
package experiment

import "errors"

// Errors of this package.
var (
	// errFile: an experiment file that makes no sense; the message names line and field.
	errFile = errors.New("experiment: file")
	// errResult: a result that is damaged, or of another experiment.
	errResult = errors.New("experiment: result")
	// errCommand: a command that failed or printed no figures.
	errCommand = errors.New("experiment: command")
	// errBusy: another program makes runs in the same folder.
	errBusy = errors.New("experiment: another program is at work")
)
