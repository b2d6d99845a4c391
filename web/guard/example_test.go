// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// A page of another site may not ask in the name of a user of this machine.
func ExampleGuard_Check() {
	g := guard.New(guard.Config{})
	r := httptest.NewRequest(http.MethodGet, "http://localhost:8765/ws", nil)
	fmt.Println(g.Check(r))
	r.Header.Set("Origin", "http://evil.example")
	fmt.Println(g.Check(r))
	// Output:
	// drive <nil>
	// none guard: page of another site: Origin "http://evil.example"
}
