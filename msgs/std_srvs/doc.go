// SPDX-License-Identifier: Apache-2.0

// Package std_srvs has services with no or one argument.
package std_srvs
