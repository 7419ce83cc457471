// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.ffmpi.testkit.MpiVariant;

/** Runs a test of four ranks with the ranks divided into nodes in several ways. */
@MpiVariant(name = "a node each", settings = "ffmpi.node=1")
@MpiVariant(name = "two nodes", settings = "ffmpi.node=2")
@MpiVariant(name = "three and one", settings = "ffmpi.node=3,1")
@MpiVariant(name = "a node each, no spinning", settings = {"ffmpi.node=1", "ffmpi.spin=0", "ffmpi.yield=0"})
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryNodes {}
