// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** The setting for classes that Java's serialization may read. Engines do not use it. */
public final class ObjectSettings {
  /** {@code ffmpi.objects.allow}: classes that are read beside the program's own and value types of the JDK. */
  public static final Setting<String> ALLOW =
      Setting.ofString("ffmpi.objects.allow", "", Scope.RANK,
          "classes that received objects may have beside the program's own and the JDK's value types, as a pattern of"
              + " ObjectInputFilter such as java.net.URI;!com.acme.Secret;maxdepth=5000");

  private ObjectSettings() {}
}
