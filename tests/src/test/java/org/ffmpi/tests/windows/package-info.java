// SPDX-License-Identifier: Apache-2.0
/** One-sided communication (MPI-4.1 §12): rule by rule, and random programs against a sequential oracle. */
package org.ffmpi.tests.windows;
