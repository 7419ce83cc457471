// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.hook;

/**
 * The entry points that rewritten methods call. Of nested calls only the outermost is reported.
 *
 * <p>A rewritten method reads {@link #listening}; when that is set it calls {@link #begin} before and {@link #end}
 * after its old body.
 */
public final class CallHook {
  /** Whether calls are reported; rewritten methods read it at each call. */
  public static volatile boolean listening;

  private static volatile CallSink sink;

  private static final ThreadLocal<Begun> OF_THREAD = ThreadLocal.withInitial(Begun::new);

  /** The outermost call of a thread; its references are null while the thread is in no call. */
  private static final class Begun {
    boolean inside;
    CallSink sink;
    Object token;
  }

  private CallHook() {}

  /**
   * Returns whether an agent has rewritten the classes that were loaded beside this one.
   *
   * @return true when so: the agent rewrites this method too
   */
  public static boolean isRewritten() {
    return false;
  }

  /**
   * Sets the sink of later calls. A call that has begun ends at the sink at which it began.
   *
   * @param to the sink, or null for none
   */
  public static synchronized void report(CallSink to) {
    sink = to;
    listening = to != null;
  }

  /**
   * Begins a call.
   *
   * @param point the method
   * @param receiver the object it is called on, or null
   * @param arguments its arguments
   * @return what {@link #end} is to get: null when the call is made inside another
   */
  public static Object begin(CallPoint point, Object receiver, Object[] arguments) {
    CallSink to = sink;
    Begun begun = OF_THREAD.get();
    if (begun.inside || to == null) {
      return null;
    }
    begun.inside = true;
    if (!point.names().isEmpty()) {
      boolean told = false;
      try {
        begun.token = to.begin(point, receiver, arguments);
        begun.sink = to;
        told = true;
      } catch (RuntimeException e) {
        told = true; // the sink has reported its own failure; the call continues unreported
      } finally {
        if (!told) {
          begun.inside = false;
        }
      }
    }
    return begun;
  }

  /**
   * Ends a call.
   *
   * @param begun what {@link #begin} returned
   * @param result the result; null when the call returns nothing or has thrown
   * @param thrown the exception, or null
   */
  public static void end(Object begun, Object result, Throwable thrown) {
    if (begun == null) {
      return;
    }
    Begun call = (Begun) begun;
    CallSink to = call.sink;
    Object token = call.token;
    call.sink = null;
    call.token = null;
    try {
      if (to != null) {
        to.end(token, result, thrown);
      }
    } catch (RuntimeException e) {
      // as above
    } finally {
      call.inside = false;
    }
  }
}
