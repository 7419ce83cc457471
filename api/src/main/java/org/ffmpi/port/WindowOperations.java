// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.WindowCalls;

/** The calls of one communicator that make windows, as module {@code windows} implements them. */
public non-sealed interface WindowOperations extends WindowCalls {}
