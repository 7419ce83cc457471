// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.CodecInput;

/** Base of module {@code objects}' implementation of {@link CodecInput}. */
public non-sealed interface CodecInputBase extends CodecInput {}
