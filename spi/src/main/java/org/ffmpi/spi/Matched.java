// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * A message that a matched probe has taken out of matching, and that {@link Engine#imrecv} will receive. Its kind is
 * the engine's own business.
 */
public interface Matched {}
