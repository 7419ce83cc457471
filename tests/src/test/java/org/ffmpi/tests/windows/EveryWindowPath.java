// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.ffmpi.testkit.MpiVariant;

/**
 * Runs a test with windows in shared memory, with windows by messages, these also over the smallest rings, with windows
 * of several nodes, and where everything is checked.
 */
@MpiVariant(name = "defaults")
@MpiVariant(name = "two ranks on each node", settings = "ffmpi.node=2")
@MpiVariant(name = "by messages", settings = {"ffmpi.window=message"})
@MpiVariant(
    name = "by messages in tiny rings",
    settings = {
      "ffmpi.window=message",
      "ffmpi.ring.slots=2",
      "ffmpi.ring.bulk=64",
      "ffmpi.pipe.bytes=256",
      "ffmpi.chunk=64",
      "ffmpi.eager.limit=200"
    })
@MpiVariant(
    name = "progress thread, no spinning",
    settings = {"ffmpi.progress=thread", "ffmpi.spin=0", "ffmpi.yield=0"})
@MpiVariant(name = "everything checked", settings = "ffmpi.check=full")
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryWindowPath {}
