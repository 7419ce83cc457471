// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.ffmpi.testkit.MpiVariant;

/** With and without the comparison of all ranks' calls. */
@MpiVariant(name = "defaults")
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
@Retention(RetentionPolicy.RUNTIME)
public @interface CheckedOrNot {}
