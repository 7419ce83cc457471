// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.ffmpi.testkit.MpiVariant;

/**
 * Runs a test with the settings users have, with rings so small that everything wraps and blocks, with waits that sleep
 * at once while a thread makes progress, and with small rings and sleeping waits together.
 */
@MpiVariant(name = "defaults")
@MpiVariant(
    name = "tiny rings",
    settings = {
      "ffmpi.ring.slots=2",
      "ffmpi.ring.bulk=64",
      "ffmpi.pipe.bytes=256",
      "ffmpi.chunk=64",
      "ffmpi.large.chunk=64",
      "ffmpi.eager.limit=200",
      "ffmpi.direct.limit=100"
    })
@MpiVariant(
    name = "progress thread, no spinning",
    settings = {"ffmpi.progress=thread", "ffmpi.spin=0", "ffmpi.yield=0"})
@MpiVariant(
    name = "small rings, no spinning",
    settings = {
      "ffmpi.ring.slots=4",
      "ffmpi.ring.bulk=256",
      "ffmpi.pipe.bytes=1024",
      "ffmpi.chunk=128",
      "ffmpi.large.chunk=256",
      "ffmpi.eager.limit=4K",
      "ffmpi.unexpected.limit=1K",
      "ffmpi.cross.limit=0",
      "ffmpi.spin=0",
      "ffmpi.yield=0"
    })
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryTransport {}
