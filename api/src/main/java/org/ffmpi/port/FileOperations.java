// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.FileCalls;

/** The calls of one communicator that open files, as module {@code files} implements them. */
public non-sealed interface FileOperations extends FileCalls {}
