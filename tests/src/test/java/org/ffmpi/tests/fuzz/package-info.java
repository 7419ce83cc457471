// SPDX-License-Identifier: Apache-2.0
/**
 * Random calls, random damage and random words of command lines: whatever comes in, the JVM does not crash, nothing
 * hangs, and no exception comes out that is not documented. The cases run in JVMs of their own, so that a crash is a
 * failed test with the case that caused it.
 */
package org.ffmpi.tests.fuzz;
