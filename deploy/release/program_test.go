// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"debug/buildinfo"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sizeBudget asks scripts/cross.sh, the only place that states it: bytes of the stripped program of a target.
func sizeBudget(t *testing.T, target string) int64 {
	t.Helper()
	const ask = `eval "$(grep '^budget()' "$1")"; budget "$2"`
	out, err := exec.Command("bash", "-c", ask, "budget", "../../scripts/cross.sh", target).Output()
	if err != nil {
		t.Fatal(err)
	}
	most, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil || most < 1_000_000 {
		t.Fatalf("the budget of %s is %q: %v", target, out, err)
	}
	return most
}

var targets = []struct {
	name, debian string
	machine      elf.Machine
	goarch       string
	run          []string // what runs the program on the test machine
}{
	{"armv6", "armhf", elf.EM_ARM, "arm", []string{"qemu-arm", "-cpu", "arm1176"}},
	{"arm64", "arm64", elf.EM_AARCH64, "arm64", []string{"qemu-aarch64"}},
	{"amd64", "amd64", elf.EM_X86_64, "amd64", nil},
}

func TestProgramsAreStaticStrippedAndSmall(t *testing.T) {
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			path := program(t, target.name)
			f, err := elf.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if f.Machine != target.machine || f.Type != elf.ET_EXEC {
				t.Errorf("%v %v, want an executable for %v", f.Machine, f.Type, target.machine)
			}
			for _, p := range f.Progs {
				if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
					t.Errorf("not static: has a %v segment", p.Type)
				}
			}
			for _, name := range []string{".symtab", ".debug_info", ".zdebug_info"} {
				if f.Section(name) != nil {
					t.Errorf("not stripped: has %s", name)
				}
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if most := sizeBudget(t, target.name); info.Size() > most {
				t.Errorf("%d bytes, more than %d", info.Size(), most)
			}
		})
	}
}

// TestRobotProgramIsARMv6 reads what the compilers noted about the code: soft-float calls as in Debian's armel (the C
// library's), and no instruction set newer than the ARM1176's.
func TestRobotProgramIsARMv6(t *testing.T) {
	path := program(t, "armv6")
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const hardFloat = 0x400 // EF_ARM_ABI_FLOAT_HARD
	if flags := binary.LittleEndian.Uint32(data[36:]); flags>>24 != 5 || flags&hardFloat != 0 {
		t.Errorf("ELF flags %#x: want EABI version 5 without hard-float calls (gnueabi, not gnueabihf)", flags)
	}
	section := f.Section(".ARM.attributes")
	if section == nil {
		t.Fatal("no .ARM.attributes")
	}
	attributes, err := section.Data()
	if err != nil {
		t.Fatal(err)
	}
	// Tag_CPU_arch in the ABI's numbering: 4 v5TE, 6 v6, 7 v6KZ (the ARM1176), 9 v6K; 8 is v6T2, 10 v7.
	arch, ok := cpuArch(attributes)
	if !ok || !slices.Contains([]uint64{1, 2, 3, 4, 5, 6, 7, 9}, arch) {
		t.Errorf("Tag_CPU_arch %d (found %v): not code for an ARM1176", arch, ok)
	}
}

// cpuArch finds Tag_CPU_arch in a .ARM.attributes section: 'A', then sub-sections of length, vendor name, and tagged
// file attributes ("Addenda to, and Errata in, the ABI for the ARM Architecture", section 2).
func cpuArch(b []byte) (arch uint64, ok bool) {
	const tagFile, tagRawName, tagName, tagArch = 1, 4, 5, 6
	_, rest, ok := strings.Cut(string(b), "aeabi\x00")
	if !ok || len(rest) < 5 || rest[0] != tagFile {
		return 0, false
	}
	for p := []byte(rest[5:]); len(p) > 0; {
		tag, n := binary.Uvarint(p)
		if n <= 0 {
			return 0, false
		}
		p = p[n:]
		if tag == tagRawName || tag == tagName {
			_, after, _ := strings.Cut(string(p), "\x00")
			p = []byte(after)
			continue
		}
		value, n := binary.Uvarint(p)
		if n <= 0 {
			return 0, false
		}
		if tag == tagArch {
			return value, true
		}
		p = p[n:]
	}
	return 0, false
}

// TestProgramsSayWhatTheyAre runs each program, the robot's on an ARM1176: an instruction that the processor does not
// have would end it.
func TestProgramsSayWhatTheyAre(t *testing.T) {
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			args := append(slices.Clone(target.run), program(t, target.name), "version", "--json")
			cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			var got struct {
				Version, Commit, Date, Go, Arch, GOARM, Camera string
				Tags, Transports                               []string
				Cgo                                            bool
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if got.Arch != target.goarch || got.GOARM != map[string]string{"arm": "6"}[target.goarch] || !got.Cgo || got.Camera != "V4L2" || got.Go != runtime.Version() {
				t.Errorf("%+v", got)
			}
			if !slices.Equal(got.Tags, []string{"netgo", "osusergo", "nethttpomithttp2"}) || !slices.Contains(got.Transports, "rtps") {
				t.Errorf("tags %v, transports %v", got.Tags, got.Transports)
			}
			if got.Version == "" || len(got.Date) != len("2006-01-02") || !strings.HasPrefix(got.Commit, strings.TrimSpace(command(t, nil, "git", "rev-parse", "HEAD"))) {
				t.Errorf("version %q of commit %q, %q", got.Version, got.Commit, got.Date)
			}
		})
	}
}

// TestCopyrightNamesWhatIsLinked: the licences of the modules in the program ask for that.
func TestCopyrightNamesWhatIsLinked(t *testing.T) {
	info, err := buildinfo.ReadFile(program(t, "armv6"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("{net,sys}", "net golang.org/x/sys", "{conn,host}", "conn periph.io/x/host").Replace(read(t, "deploy/debian/copyright"))
	if len(info.Deps) == 0 {
		t.Error("no modules are linked: the record is broken")
	}
	for _, dep := range info.Deps {
		name := regexp.MustCompile(`/v[0-9]+$`).ReplaceAllString(dep.Path, "")
		if !strings.Contains(text, name) {
			t.Errorf("nothing about %s", name)
		}
	}
}
