// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.CodecOutput;

/** Base of module {@code objects}' implementation of {@link CodecOutput}. */
public non-sealed interface CodecOutputBase extends CodecOutput {}
