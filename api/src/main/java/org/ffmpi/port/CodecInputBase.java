// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.CodecInput;

/** What module {@code objects} implements {@link CodecInput} by. */
public non-sealed interface CodecInputBase extends CodecInput {}
