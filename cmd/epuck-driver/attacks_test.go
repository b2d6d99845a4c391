// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver of database/sql for a hostile bag
)

// attacksFile is the table that this test compares; attacksEnv=1 writes it.
const (
	attacksFile = "../../docs/reference/attacks.md"
	attacksEnv  = "EPUCK_TEST_WRITE_ATTACKS"
)

// mostMemory is what a program that meets a hostile file may take, in bytes.
const mostMemory = 400 << 20

// attackRow is one row: what is tried, the command and what it does. run, if set, carries it out; else command is run in a
// folder with the hostile files.
type attackRow struct {
	name, command string
	run           func(t *testing.T) (result string)
}

func attackRows() []attackRow {
	of := func(name, tags, test, folder string) attackRow {
		words := []string{"test", "-count=1", "-vet=off", "-run", "^" + test + "$"}
		if tags != "" {
			words = append(words, "-tags", tags)
		}
		words = append(words, "./"+folder)
		return attackRow{name, "go " + strings.Join(words, " "), func(t *testing.T) string { return goTest(t, words) }}
	}
	return []attackRow{
		{"20,000 packets of RTPS with random submessages", "epuck-driver sim --world empty", hostilePackets},
		{"a forged announcement, whose answers go to a victim", "epuck-driver sim --world empty", amplification},
		of("peers that carry a live peer's GUID, high counts in ACKNACK and HEARTBEAT", "", "TestForgedSubmessagesOfALivePair", "ros2/rtps"),
		of("reach of ROS_LOCALHOST_ONLY from another host", "peers", "TestLocalhostOnlyReachesNoOtherMachine", "ros2/interop"),
		of("all faults of the I²C bus at once, against the odometry's truth", "", "TestOdometryUnderAllBusFaults", "driver"),
		of("jumps of the clock under navigation", "", "TestClockJumps", "navigation"),
		of("jumps of the clock under recording", "", "TestClocksThatJump", "bag/record"),
		{"an MCAP file whose record has 4 EiB", "epuck-driver bag info huge.mcap", nil},
		{"an SQLite bag whose topics are an endless query", "epuck-driver bag info views.db3", nil},
		of("pictures of maps that announce more than there is", "", "TestHostileMapsAreRefused", "mapping"),
		{"a world nested 20,000 deep", "epuck-driver sim --world ./deep.yaml --for 1s", nil},
		{"a robot description with entities that grow", "epuck-driver robots frames ./laughs.urdf", nil},
		{"a parameter file with aliases that grow", "epuck-driver sim --for 1s --ros-args --params-file alias.yaml", nil},
		of("calibration files that are hostile or huge", "", "Test.*(Regular|Hostile|Large|Files).*", "calibration/procedure"),
		of("values of epuck.txt for a shell or wpa_supplicant", "", "TestHostileValuesStayValues", "deploy/card"),
		of("requests to spawn robots with hostile texts", "", "TestHostileSpawnsAreRefused", "fleet"),
		of("WebSockets: frames without end, bad frames", "", "TestBadFramesEndTheirViewerWithACloseCode", "web"),
	}
}

// TestAttacksOfTheReference carries out each attack and compares the table of the documents with what happened.
func TestAttacksOfTheReference(t *testing.T) {
	files := hostileFiles(t)
	var text strings.Builder
	text.WriteString("# Attacks\n\nWhat was tried against the program, and what it does. `make test-system` carries out each row\n" +
		"(`TestAttacksOfTheReference` in `cmd/epuck-driver`) and compares this table; `" + attacksEnv + "=1` writes it. Each\n" +
		fmt.Sprintf("program that meets a hostile file also has at most %d MiB.\n\n| Attack | Command | Result |\n|---|---|---|\n", mostMemory>>20))
	for _, a := range attackRows() {
		var result string
		if a.run != nil {
			result = a.run(t)
		} else {
			result = onFile(t, files, a.command)
		}
		fmt.Fprintf(&text, "| %s | `%s` | %s |\n", a.name, strings.ReplaceAll(a.command, "|", `\|`), strings.ReplaceAll(result, "|", `\|`))
	}
	if os.Getenv(attacksEnv) != "" {
		if err := os.WriteFile(attacksFile, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := os.ReadFile(attacksFile); err != nil || string(is) != text.String() {
		t.Errorf("%s is not what happened (%v):\n%s", attacksFile, err, text.String())
	}
}

// hostileFiles writes the files of the attacks into a folder.
func hostileFiles(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, content := range map[string]string{
		"huge.mcap":   "\x89MCAP0\r\n\x01" + string(binary.LittleEndian.AppendUint64(nil, 1<<62)) + strings.Repeat("x", 100),
		"deep.yaml":   "walls: " + strings.Repeat("[", 20_000),
		"laughs.urdf": "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<robot name=\"&b;\"/>\n",
		"alias.yaml":  "/**:\n  ros__parameters:\n    a: &a [x, x]\n    b: [*a, *a]\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(folder, "views.db3"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("CREATE VIEW topics AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r) SELECT i AS id, '/a' AS name, " +
		"'std_msgs/msg/String' AS type, 'cdr' AS serialization_format, '' AS offered_qos_profiles FROM r; " +
		"CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return folder
}

// attacked makes a command of this program in a ROS domain, on this machine alone.
func attacked(t *testing.T, domain int, words ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", words...)
	cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", fmt.Sprint("ROS_DOMAIN_ID=", domain), "ROS_HOME="+t.TempDir())
	return cmd
}

// onFile runs a command that reads a hostile file, and returns its exit status and its error, or the damage it reports.
func onFile(t *testing.T, folder, command string) string {
	t.Helper()
	cmd := attacked(t, ownDomain(), strings.Fields(command)[1:]...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); !ok || usage.Maxrss<<10 > mostMemory {
		t.Errorf("%s took %d kB", command, usage.Maxrss)
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "epuck-driver ") || strings.HasPrefix(line, "Damaged:") {
			_, text, _ := strings.Cut(line, ": ")
			if strings.HasPrefix(line, "Damaged:") {
				text = strings.TrimSpace(strings.TrimPrefix(line, "Damaged:"))
			}
			return fmt.Sprintf("status %d: %s", cmd.ProcessState.ExitCode(), text)
		}
	}
	t.Errorf("%s says nothing: %s", command, out)
	return ""
}

// goTest runs a test of another package.
func goTest(t *testing.T, words []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", words...)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("go %s: %v\n%s", strings.Join(words, " "), err, out)
		return "fails"
	case bytes.Contains(out, []byte("no tests to run")):
		t.Errorf("go %s: %s", strings.Join(words, " "), out)
	}
	return "passes"
}

// ownDomain is the ROS domain of this process.
func ownDomain() int { return os.Getpid()%180 + 20 }

// portOf is the port for discovery of a participant of the domain on this machine (RTPS 2.5, 9.6.2.3).
func portOf(participant int) int { return 7410 + 250*ownDomain() + 2*participant }

// victim starts a simulated robot and returns its process and its announcement, which comes to a port of this machine.
func victim(t *testing.T) (robot *exec.Cmd, port *net.UDPConn, announced []byte) {
	t.Helper()
	port, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: portOf(5)})
	if err != nil {
		t.Fatal(err)
	}
	robot = attacked(t, ownDomain(), "sim", "--world", "empty")
	if err := robot.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = robot.Process.Kill()
		_ = robot.Wait()
		_ = port.Close()
	})
	packet := make([]byte, 64<<10)
	if err := port.SetReadDeadline(time.Now().Add(hopeless)); err != nil {
		t.Fatal(err)
	}
	n, err := port.Read(packet)
	if err != nil || n < 20 || string(packet[:4]) != "RTPS" {
		t.Fatalf("no announcement: %q, %v", packet[:n], err)
	}
	return robot, port, packet[:n]
}

// residentBytes is the memory of a process, in bytes.
func residentBytes(t *testing.T, pid int) int64 {
	t.Helper()
	var total, pages int64
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(text), &total, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// end ends a robot, and its port.
func end(robot *exec.Cmd, port *net.UDPConn) {
	_ = robot.Process.Kill()
	_ = robot.Wait()
	_ = port.Close()
}

func hostilePackets(t *testing.T) string {
	const most = 64 << 20
	robot, port, announced := victim(t)
	defer end(robot, port)
	before := residentBytes(t, robot.Process.Pid)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 20_000 {
		packet := bytes.Clone(announced[:20]) // the robot's own header, half of the time
		if i%2 == 0 {
			binary.LittleEndian.PutUint64(packet[8:], random.Uint64())
		}
		for range 1 + random.IntN(4) {
			body := make([]byte, 4*random.IntN(40))
			for k := range body {
				body[k] = byte(random.Uint32())
			}
			kinds := []byte{6, 7, 8, 9, 0xc, 0xe, 0xf, 0x12, 0x13, 0x15, 0x16, byte(random.Uint32())}
			packet = append(packet, kinds[random.IntN(len(kinds))], byte(random.Uint32()))
			packet = append(binary.LittleEndian.AppendUint16(packet, uint16(len(body))), body...)
		}
		to := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: portOf(0) + i%2}
		if _, err := port.WriteToUDP(packet, to); err != nil {
			t.Fatal(err)
		}
	}
	grown := residentBytes(t, robot.Process.Pid) - before
	out, err := attacked(t, ownDomain(), "node", "list").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "/epuck_driver") || grown > most {
		t.Errorf("node list: %s, %v; %d bytes more", out, err, grown)
		return "fails"
	}
	return fmt.Sprintf("the robot stays in the graph, its memory grows by less than %d MiB", most>>20)
}

// amplification sends the robot's own announcement under another name, with this port as its address, once, and counts
// the bytes that arrive in three seconds: about 21 times its own on 2026-11-28, with those that the robot sends to each
// port for discovery anyway.
func amplification(t *testing.T) string {
	const most = 30
	robot, port, announced := victim(t)
	defer end(robot, port)
	forged := bytes.ReplaceAll(announced, announced[8:20], []byte("\x01\x7eFORGEDFORG"))
	forged = bytes.ReplaceAll(forged, portBytes(portOf(0)), portBytes(portOf(5)))
	forged = bytes.ReplaceAll(forged, portBytes(portOf(0)+1), portBytes(portOf(5)))
	if _, err := port.WriteToUDP(forged, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: portOf(0)}); err != nil {
		t.Fatal(err)
	}
	got, packet := 0, make([]byte, 64<<10)
	if err := port.SetReadDeadline(time.Now().Add(3 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for {
		n, err := port.Read(packet)
		if err != nil {
			break
		}
		got += n
	}
	t.Logf("%d bytes for %d", got, len(forged))
	if got > most*len(forged) {
		t.Errorf("%d bytes were sent, %d came in 3 s", len(forged), got)
		return "fails"
	}
	return fmt.Sprintf("in 3 s less than %d bytes for each byte that was forged: announcements, HEARTBEAT and ACKNACK, no endpoints", most)
}

func portBytes(port int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(port)) }
