// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.fake;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Operation;

/** Collectives that only record their arguments, and end when run. Used by one thread of tests. */
public final class FakeCollectives implements Collectives {
  /** Marks a buffer in place in a {@link Call}. */
  public static final Object IN_PLACE = "in place";

  /**
   * The arguments of a call.
   *
   * @param send what holds the memory that is sent, {@link #IN_PLACE}, or null when it is absent or blocks
   * @param recv as {@code send}
   */
  public record Call(Collective operation, Object send, Object recv, ReduceKernel kernel, int root) {}

  /** Calls in order. */
  public static final List<Call> CALLS = new ArrayList<>();

  /** The error of the next blocking collective, once. */
  public static MpiException failNext;

  /** Creates the collectives, for the service loader. */
  public FakeCollectives() {}

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    boolean isScatter = call.operation() == Collective.SCATTER || call.operation() == Collective.SCATTERV;
    CALLS.add(new Call(call.operation(), side(call.send(), call.isInPlace() && !isScatter),
        side(call.recv(), call.isInPlace() && isScatter), call.kernel(), call.root()));
    FakeOperation operation = new FakeOperation(false);
    if (form == CollectiveForm.NONBLOCKING) {
      channel.engine().register(operation);
    } else if (form == CollectiveForm.BLOCKING) {
      MpiException error = failNext;
      failNext = null;
      if (error != null) {
        throw error;
      }
      operation.finish();
    }
    return operation;
  }

  private static Object side(FlatBuffer buffer, boolean inPlace) {
    return inPlace ? IN_PLACE : buffer.isPresent() ? buffer.owner() : null;
  }

  @Override
  public void start(Operation persistent) {}
}
