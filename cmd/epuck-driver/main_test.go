// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if os.Getenv(listenerEnv) != "" {
		if err := listen(); err != nil {
			fmt.Fprintln(os.Stderr, "listener:", err)
			os.Exit(1)
		}
		return
	}
	if address := os.Getenv(viewerEnv); address != "" {
		if err := view(address); err != nil {
			fmt.Fprintln(os.Stderr, "viewer:", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(programEnv) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"epuck-driver": main})
}

// TestScripts runs the program as a user does; testdata/script/*.txtar are the sessions.
func TestScripts(t *testing.T) {
	var scripts atomic.Int64
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// Loopback only, each script in a domain of its own.
			env.Setenv("ROS_LOCALHOST_ONLY", "1")
			env.Setenv("ROS_DOMAIN_ID", fmt.Sprint((int64(os.Getpid())*10+scripts.Add(1))%220+1))
			return nil
		},
	})
}
