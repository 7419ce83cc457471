// SPDX-License-Identifier: Apache-2.0
/** Tests of processes that come and meet: spawn, ports, names, join, and the ends of connected jobs. */
package org.ffmpi.tests.connect;
