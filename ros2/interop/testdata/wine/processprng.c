/* SPDX-License-Identifier: Apache-2.0
 *
 * bcryptprimitives.dll for Wine 8, which lacks it: the one function that programs in Go need, by one that Wine has. */
#include <windows.h>
#include <ntsecapi.h>

BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
	return RtlGenRandom(data, (ULONG)size);
}
