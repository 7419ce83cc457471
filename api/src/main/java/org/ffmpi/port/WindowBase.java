// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.Win;

/** Base of module {@code windows}' implementations of {@link Win}. */
public non-sealed interface WindowBase extends Win {
  /**
   * Returns the value of a predefined attribute.
   *
   * @param name its name in the standard
   * @return null where the window has none of this name
   */
  Object predefined(String name);
}
