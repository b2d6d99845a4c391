// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// chatter sends to the others of a swarm, from many goroutines' worth of waits, and prints when it heard what.
const chatter = `
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
int main(int argc, char **argv) {
  int me = atoi(argv[1]), n = argc - 2, f = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2 + me])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(f, (struct sockaddr *)&at, sizeof at) != 0) return 1;
  unsigned dice = 1 + me;
  for (int i = 0; i < 60; i++) {
    dice = dice * 1664525 + 1013904223;
    int word[2] = {me, i};
    at.sin_port = htons(atoi(argv[2 + (dice >> 16) % n]));
    sendto(f, word, sizeof word, 0, (struct sockaddr *)&at, sizeof at);
    struct pollfd p = {f, POLLIN, 0};
    poll(&p, 1, (dice >> 8) % 3);
    for (unsigned k = (dice >> 4) % 40000; k > 0; k--) __asm__ volatile("");
    while (recv(f, word, sizeof word, 0) > 0) {
      struct timespec t;
      clock_gettime(CLOCK_REALTIME, &t);
      printf("%ld from %d: %d\n", t.tv_nsec, word[0], word[1]);
    }
  }
}`

// freePorts are numbers of UDP ports that were free a moment ago.
func freePorts(t *testing.T, n int) (ports []string) {
	t.Helper()
	for range n {
		c, err := net.ListenPacket("udp4", "127.0.0.1:0") //nolint:noctx // a test's
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		ports = append(ports, fmt.Sprint(c.LocalAddr().(*net.UDPAddr).Port))
	}
	return ports
}

// TestWhatMachinesSendEachOtherRepeats: two to eight, which two workers compute at once.
func TestWhatMachinesSendEachOtherRepeats(t *testing.T) {
	program, cfg := compiled(t, chatter), config(t)
	for _, n := range []int{2, 3, 8} {
		ports := freePorts(t, n)
		run := func() string {
			r := NewRack(time.Unix(1_000_000_000, 0), 2)
			defer func() {
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}()
			var all []*bytes.Buffer
			for i := range n {
				own := cfg
				own.Files, own.Seed, own.Processor = t.TempDir(), uint32(i), i%2
				m, err := r.Add(own)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, start(t, m, append([]string{program, fmt.Sprint(i)}, ports...)...))
			}
			if err := r.Advance(t.Context(), 200*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for i, m := range r.machines {
				if s := m.Status()[0]; !s.Ended || s.Exit != 0 {
					t.Errorf("machine %d: %+v", i, s)
				}
				fmt.Fprintf(&text, "machine %d\n%s", i, all[i])
			}
			return text.String()
		}
		first := run()
		if heard := strings.Count(first, "from"); heard < 20*n {
			t.Fatalf("%d machines heard %d messages", n, heard)
		}
		for range 3 {
			if again := run(); again != first {
				t.Errorf("%d machines: two runs differ:\n%s\nand\n%s", n, first, again)
				break
			}
		}
	}
}
