// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.files;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.ffmpi.testkit.MpiVariant;

/** Runs a test with files whose ranks share memory, and with files of several nodes. */
@MpiVariant(name = "defaults")
@MpiVariant(name = "two ranks on each node", settings = "ffmpi.node=2")
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryFilePath {}
