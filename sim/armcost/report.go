// SPDX-License-Identifier: Apache-2.0

package armcost

// Report is what a program costs the robot: each figure with its range.
type Report struct {
	Program    []string     `json:"program"`
	Parameters string       `json:"parameters"` // where they come from
	Status     int          `json:"status"`
	Wall       float64      `json:"wall_seconds"`    // how long it ran here
	Against    float64      `json:"against_seconds"` // what the share is of
	Total      Estimate     `json:"total"`
	Share      Interval     `json:"share"`            // of the core, 1 is all of it
	Board      Interval     `json:"board_joules"`     // all that the robot's computer takes in that time
	Processor  Interval     `json:"processor_joules"` // of it the processor's work for the program
	Energy     []EnergyPart `json:"energy"`           // by parameter, the widest first
	Sent       float64      `json:"sent_bytes"`       // by sockets of IP
	Processes  []Process    `json:"processes"`
}

// Process is one process' part, and of it each thread's.
type Process struct {
	Process int `json:"process"`
	Estimate
	Threads []ThreadReport `json:"threads"`
}

// ThreadReport is one thread's part.
type ThreadReport struct {
	Thread       int      `json:"thread"`
	Instructions float64  `json:"instructions"`
	Cycles       Interval `json:"cycles"`
}

// Report says what a run costs; with the radio on, what the program sent takes energy as well. against is the time that
// it is for on the robot, in seconds, 0: as long as it ran here.
func (p Parameters) Report(program []string, c Counted, against float64, l Load) Report {
	r := Report{Program: program, Parameters: p.Source, Status: c.Status, Wall: c.Wall.Seconds(), Against: against}
	if against <= 0 {
		r.Against = r.Wall
	}
	var all []Thread
	for _, m := range c.Processes {
		all = append(all, m.Threads...)
		process := Process{Process: m.Process, Estimate: p.Of(Sum(m.Threads))}
		for _, t := range m.Threads {
			e := p.Of(t.Counts)
			process.Threads = append(process.Threads, ThreadReport{t.Thread, e.Instructions, e.Cycles})
		}
		r.Processes = append(r.Processes, process)
	}
	sum := Sum(all)
	r.Total, r.Sent = p.Of(sum), sum.Events["sent"]
	r.Share = r.Total.Share(r.Against)
	if l.Radio {
		l.Sent += r.Sent
	}
	r.Energy = p.EnergyParts(r.Total, r.Against, l)
	r.Board, r.Processor = p.Energy(r.Total, r.Against, l)
	return r
}
