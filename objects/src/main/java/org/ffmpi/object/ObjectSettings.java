// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** The setting of what Java's serialization may read. Engines do not read it. */
public final class ObjectSettings {
  /** {@code ffmpi.objects.allow}: what is read beside the program's own classes and value types of the JDK. */
  public static final Setting<String> ALLOW =
      Setting.ofString("ffmpi.objects.allow", "", Scope.RANK,
          "classes that received objects may have beside the program's own and the JDK's value types, as a pattern of"
              + " ObjectInputFilter such as java.net.URI;!com.acme.Secret;maxdepth=5000");

  private ObjectSettings() {}
}
