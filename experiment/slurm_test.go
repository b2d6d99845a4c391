// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/experiment"
)

const cluster = `ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
StateSaveLocation=%[1]s
SlurmdSpoolDir=%[1]s/spool
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts a cluster on this machine, a controller and one node, and returns a function that ends the node.
func startSlurm(t *testing.T) (lose func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("slurmd needs root")
	}
	for _, p := range []string{"slurmctld", "slurmd", "sbatch", "sinfo"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs slurm-wlm", err)
		}
	}
	folder, err := os.MkdirTemp("", "slurm") // sockets need short names
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	conf := filepath.Join(folder, "slurm.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, cluster, folder, freePort(t), freePort(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLURM_CONF", conf)
	background(t, "slurmctld", "-D", "-i")
	return startNode(t)
}

// startNode starts the node and returns a function that ends it like a power failure.
func startNode(t *testing.T) (lose func()) {
	t.Helper()
	lose = background(t, "slurmd", "-D", "-N", "node1")
	waitFor(t, "the node", func() bool {
		out, err := exec.Command("sinfo", "--noheader", "--format=%t").Output()
		return err == nil && (strings.HasPrefix(string(out), "idle") || strings.HasPrefix(string(out), "mix") || strings.HasPrefix(string(out), "alloc"))
	})
	return lose
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// background runs a program until the test ends, or it is killed.
func background(t *testing.T, name string, args ...string) (kill func()) {
	t.Helper()
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	return kill
}

// An array job of a real Slurm executes all runs, and the results are merged.
func TestSlurm(t *testing.T) {
	startSlurm(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "it's.yaml")
	if err := os.WriteFile(file, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	results := e.Folder(folder)
	t.Setenv(childTask, "yes")
	job, err := e.Submit(context.Background(), experiment.Slurm{Program: []string{self}, File: file, Folder: results, Tasks: 3, Options: []string{"--time=5"}})
	if err != nil || strings.Trim(job, "0123456789") != "" || job == "" {
		t.Fatalf("job %q, %v", job, err)
	}
	waitFor(t, "the job", func() bool {
		have, _, err := e.Collect(results)
		if err != nil {
			t.Fatal(err)
		}
		return have == e.Runs()
	})
	if head, rows := table(t, filepath.Join(results, "runs.csv")); len(rows) != 12 || head[0] != "run" {
		t.Errorf("%v, %d rows", head, len(rows))
	}
	if _, err := e.Submit(context.Background(), experiment.Slurm{Program: []string{self}, File: file, Folder: results, Options: []string{"--partition=none"}}); !errors.Is(err, experiment.ErrSlurm) {
		t.Errorf("a partition that does not exist: %v", err)
	}
}

// gated has runs that write their process id and wait until the test ends them.
const gated = `
name: gated
command:
  - sh
  - -c
  - |
    echo $PPID >.pid-{run}; mv .pid-{run} pid-{run}
    while ! [ -e go -o -e go-{run} ]; do sleep 0.05; done
    echo '{"double": '$(({seed} * 2))'}'
duration: 1
seeds: {from: 0, count: 12}
`

// maker waits until a run is executed and returns its process.
func maker(t *testing.T, folder string, run int) (pid int) {
	t.Helper()
	path := filepath.Join(folder, fmt.Sprint("pid-", run))
	waitFor(t, fmt.Sprint("run ", run), func() bool {
		data, err := os.ReadFile(path)
		if err == nil {
			pid, err = strconv.Atoi(strings.TrimSpace(string(data)))
		}
		return err == nil
	})
	return pid
}

// TestSlurmLosses: after a killed task and a lost node only their current runs are missing. Missing runs are named, and
// a second job executes only those.
func TestSlurmLosses(t *testing.T) {
	lose := startSlurm(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "gated.yaml")
	if err := os.WriteFile(file, []byte(gated), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	results := e.Folder(folder)
	t.Setenv(childTask, "yes")
	job := experiment.Slurm{Program: []string{self}, File: file, Folder: results, Tasks: 3, Options: []string{"--no-requeue"}}
	number, err := e.Submit(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	kill := func(pid int) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	open := func(gate string) {
		if err := os.WriteFile(filepath.Join(folder, gate), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kill(maker(t, folder, 0)) // task 0: runs 0, 3, 6 and 9
	maker(t, folder, 1)
	open("go-1")
	task := maker(t, folder, 4)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", task))
	if err != nil {
		t.Fatal(err)
	}
	step, err := strconv.Atoi(strings.Fields(string(status[strings.LastIndexByte(string(status), ')')+1:]))[1])
	if err != nil {
		t.Fatal(err)
	}
	lose()
	kill(step)
	kill(task)
	have, missing, err := e.Collect(results)
	if have != 1 || !slices.Equal(missing, []int{0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) || err != nil {
		t.Fatalf("%d results, missing %v, %v", have, missing, err)
	}
	first := filepath.Join(results, "run-0000001.json")
	was, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	open("go")
	startNode(t)
	// Otherwise Slurm detects it only after some minutes.
	if out, err := exec.Command("scancel", number).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := e.Submit(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "all results", func() bool {
		have, _, err := e.Collect(results)
		return err == nil && have == e.Runs()
	})
	if is, err := os.Stat(first); err != nil || !os.SameFile(was, is) {
		t.Errorf("run 1 was executed again: %v", err)
	}
	_, rows := table(t, filepath.Join(results, "runs.csv"))
	for i, r := range rows {
		if r[0] != float64(i) || r[len(r)-1] != 2*r[1] {
			t.Errorf("row %d is %v", i, r)
		}
	}
}
