// SPDX-License-Identifier: Apache-2.0

//go:build linux

package page

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// announced returns what a server prints and logs to a file, as systemd connects both streams of a service, and its
// tokens.
func announced(t *testing.T, address string) (text string, tokens guard.Tokens) {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "journal"))
	must(t, err)
	var stat unix.Stat_t
	must(t, unix.Fstat(int(f.Fd()), &stat))
	if os.Getenv("JOURNAL_STREAM") != "" {
		t.Setenv("JOURNAL_STREAM", fmt.Sprintf("%d:%d", stat.Dev, stat.Ino))
	}
	out := tty.NewOutlet(f)
	s, err := web.New(web.Config{
		Address: address, Transport: ros2test.NewTransport(), Types: msgs.Definition, TokenFile: filepath.Join(dir, "tokens.json"),
		Logger: slog.New(tty.NewConsole(out)),
	})
	must(t, err)
	stop := Start(s, slog.New(slog.DiscardHandler))
	must(t, Announce(out, s))
	response, err := http.Get("http://" + s.Address().String() + "/metrics")
	must(t, err)
	must(t, response.Body.Close())
	http.DefaultClient.CloseIdleConnections()
	must(t, stop())
	out.Close()
	data, err := os.ReadFile(f.Name())
	must(t, err)
	file, err := os.ReadFile(s.TokenFile())
	must(t, err)
	must(t, json.Unmarshal(file, &tokens))
	return string(data), tokens
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTokensDoNotReachTheJournal(t *testing.T) {
	t.Setenv("JOURNAL_STREAM", "1:1")
	text, tokens := announced(t, "127.0.0.1:0")
	for _, token := range []string{tokens.View, tokens.Drive, "█"} {
		if strings.Contains(text, token) {
			t.Errorf("the journal has %q:\n%s", token, text)
		}
	}
	for _, want := range []string{"Look and drive: http://127.0.0.1:", "tokens.json", "without a valid token"} {
		if !strings.Contains(text, want) {
			t.Errorf("the journal lacks %q:\n%s", want, text)
		}
	}
}

func TestTokensAreAnnouncedOutsideOfTheJournal(t *testing.T) {
	t.Setenv("JOURNAL_STREAM", "")
	text, tokens := announced(t, "127.0.0.1:0")
	for _, want := range []string{"/#" + tokens.View, "/#" + tokens.Drive, "█"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
}
