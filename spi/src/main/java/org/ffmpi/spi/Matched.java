// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * A message that a matched probe has removed from matching, for {@link Engine#imrecv} to receive. Each engine has its
 * own class.
 */
public interface Matched {}
