// SPDX-License-Identifier: Apache-2.0

//go:build system

package armcost

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// sends sends bytes to itself by sockets of IP, in all ways that there are, and more by
// ways that no radio knows.
const sends = `
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
static char data[8192];
int main(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  int s = socket(AF_INET, SOCK_DGRAM, 0), pair[2];
  if (bind(s, (struct sockaddr *)&at, size) || getsockname(s, (struct sockaddr *)&at, &size)) return 1;
  if (sendto(s, data, 1, 0, (struct sockaddr *)&at, size) != 1) return 2;
  struct iovec v[2] = {{data, 5}, {data, 15}}, big[2] = {{data, 4000}, {data, 5000}};
  struct msghdr m = {.msg_name = &at, .msg_namelen = size, .msg_iov = v, .msg_iovlen = 2};
  if (sendmsg(s, &m, 0) != 20) return 3;
  struct mmsghdr many[2];
  memset(many, 0, sizeof many);
  for (int i = 0; i < 2; i++) {
    many[i].msg_hdr = m;
    many[i].msg_hdr.msg_iov = &big[i], many[i].msg_hdr.msg_iovlen = 1;
  }
  if (sendmmsg(s, many, 2, 0) != 2) return 4;
  if (connect(s, (struct sockaddr *)&at, size)) return 5;
  if (write(s, data, 300) != 300) return 6;
  struct iovec w[2] = {{data, 20}, {data, 40}};
  if (writev(s, w, 2) != 60) return 7;
  if (send(s, data, 9000, 0) >= 0 && sendto(-1, data, 10, 0, NULL, 0) >= 0) return 8; // the second fails
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || write(pair[0], data, 500) != 500 || send(pair[0], data, 10, 0) != 10) return 9;
  return write(1, "said\n", 5) == 5 ? 0 : 10;
}`

// TestSentIsCounted: what leaves by sockets of IP is counted to the byte, whichever call sends it; what fails, and what
// goes to other files, is not.
func TestSentIsCounted(t *testing.T) {
	needs(t, "gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "sends.c"), filepath.Join(dir, "sends")
	if err := os.WriteFile(source, []byte(sends), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "arm-linux-gnueabi-gcc", "-static", "-O1", "-marm", "-march=armv6", "-o", program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c, err := (Program{Args: []string{program}}).Run(t.Context(), dir)
	if err != nil || c.Status != 0 {
		t.Fatalf("%+v, %v", c, err)
	}
	const want = 1 + 20 + 4000 + 5000 + 300 + 60 + 9000
	silent := literature(t).Report(nil, c, 10, Load{})
	if silent.Sent != want {
		t.Errorf("%v bytes, want %d", silent.Sent, want)
	}
	loud, more := literature(t).Report(nil, c, 10, Load{Radio: true}), literature(t).Report(nil, c, 10, Load{Radio: true, Sent: 1e9})
	radio := 1.25 + want*1.6e-7
	if math.Abs(loud.Board.Likely-silent.Board.Likely-radio) > 1e-9 {
		t.Errorf("the radio takes %g J, want %g", loud.Board.Likely-silent.Board.Likely, radio)
	}
	if math.Abs(more.Board.Likely-loud.Board.Likely-160) > 1e-6 || more.Energy[0].Parameter != "energy_sent" || silent.Energy[0].Parameter != "power_idle" {
		t.Errorf("%+v, widest %+v and %+v", more.Board, more.Energy[0], silent.Energy[0])
	}
}
