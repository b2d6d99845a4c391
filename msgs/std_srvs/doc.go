// SPDX-License-Identifier: Apache-2.0

// Package std_srvs holds services without or with one argument.
package std_srvs
