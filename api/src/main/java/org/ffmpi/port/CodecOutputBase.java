// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.CodecOutput;

/** What module {@code objects} implements {@link CodecOutput} by. */
public non-sealed interface CodecOutputBase extends CodecOutput {}
