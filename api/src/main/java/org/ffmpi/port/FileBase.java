// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.MpiFile;

/** Base of module {@code files}' implementations of {@link MpiFile}. */
public non-sealed interface FileBase extends MpiFile {}
