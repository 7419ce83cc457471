// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;

/** Describes the calls of {@link org.ffmpi.CollectiveCalls} and starts them. Generated. */
public abstract class CollectiveForms {
  CollectiveForms() {}

  /** Returns the channel of the communicator. */
  abstract Channel channel();

  /** Checks a call and drives it to its end in this thread. */
  abstract void run(CollectiveArguments call);

  /** Checks a call and starts it. */
  abstract Request start(CollectiveArguments call);

  /** Checks a call that will be started later, any number of times. */
  abstract Persistent init(CollectiveArguments call, Info info);

  /** Returns the blocks of all ranks, where a buffer's count is that of one. */
  private <T> Buf<T> all(Buf<T> buf) {
    return CollectiveChecks.all(buf, channel());
  }

  //bodies CollectiveCalls
}
