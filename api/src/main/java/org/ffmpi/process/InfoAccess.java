// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.LinkedHashMap;
import java.util.Map;
import org.ffmpi.Info;

/** Reads the pairs of an info. */
public final class InfoAccess {
  private InfoAccess() {}

  /** Returns the pairs of an info argument, none for null. */
  public static Map<String, String> entries(Info info) {
    Map<String, String> entries = new LinkedHashMap<>();
    if (info != null) {
      synchronized (info) {
        for (String key : info.keys()) {
          entries.put(key, info.get(key).orElseThrow());
        }
      }
    }
    return entries;
  }
}
