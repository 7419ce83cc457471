// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.ReceiveException;
import org.junit.jupiter.api.Test;

/** The collective calls that are known to have failed, and the contexts that name them. */
class FailedCallsTest {
  private static final long CONTEXT = 5 * Channel.CONTEXTS + 1;
  private static final long SIGNATURE = Long.MIN_VALUE | 77L << 32;

  private final FailedCalls calls = new FailedCalls(new OpenChannels());

  @Test
  void allSignaturesOfACallAreOneCall() {
    long mine = Channel.signed(CONTEXT, SIGNATURE);
    long theirs = Channel.signed(CONTEXT, SIGNATURE | 1L << 50);
    assertFalse(calls.contains(mine, 3));
    assertTrue(calls.add(new CallFailure(4, theirs, ErrorClass.ERR_COUNT, mine, 1), 3));
    assertFalse(calls.add(new CallFailure(2, mine, ErrorClass.ERR_OTHER, 0, 0), 3), "the first counts");
    assertTrue(calls.contains(mine, 3));
    assertFalse(calls.contains(mine, 4));
    assertFalse(calls.contains(Channel.signed(CONTEXT + Channel.CONTEXTS, SIGNATURE), 3));
    ReceiveException error = calls.error(mine, 3);
    assertEquals(4, error.peer());
    assertEquals(theirs, error.context());
    assertEquals(mine, error.cause());
    assertEquals(1, error.causePeer());
    assertTrue(error.isOfFailedCall());
    assertNull(calls.error(mine, 4));
  }

  @Test
  void eachStartOfAPersistentCollectiveIsACallOfItsOwn() {
    assertTrue(calls.add(
        new CallFailure(1, Channel.started(CONTEXT, 8), ErrorClass.ERR_PROC_ABORTED, 0, 0), 3));
    assertFalse(calls.contains(Channel.started(CONTEXT, 9), 3));
    assertEquals(ErrorClass.ERR_PROC_ABORTED, calls.error(Channel.started(CONTEXT, 8), 3).errorClass());
  }

  @Test
  void asManyAsAreRememberedAreBounded() {
    for (int tag = 0; tag < 2_000; tag++) {
      assertTrue(calls.add(new CallFailure(1, CONTEXT, ErrorClass.ERR_OTHER, 0, 0), tag));
    }
    assertFalse(calls.contains(CONTEXT, 2_000 - 1_025));
    assertTrue(calls.contains(CONTEXT, 2_000 - 1_024));
  }

  @Test
  void contextsOfCallsBelongToTheirChannel() {
    assertEquals(CONTEXT, Channel.callOf(Channel.signed(CONTEXT, SIGNATURE)));
    assertEquals(SIGNATURE, Channel.signatureOf(Channel.signed(CONTEXT, SIGNATURE)));
    assertEquals(0, Channel.signatureOf(CONTEXT));
    for (long context : new long[] {CONTEXT, Channel.signed(CONTEXT, SIGNATURE), Channel.started(CONTEXT, 1 << 20)}) {
      assertEquals(5 * Channel.CONTEXTS, Channel.numberOf(context));
    }
    assertNotEquals(Channel.started(CONTEXT, 1), Channel.started(CONTEXT, 2));
    long late = 1L << 40; // so many communicators that there is no room for more
    assertEquals(late + 1, Channel.signed(late + 1, SIGNATURE));
    assertEquals(late + 1, Channel.started(late + 1, 7));
    assertEquals(late, Channel.numberOf(late + 1));
  }
}
