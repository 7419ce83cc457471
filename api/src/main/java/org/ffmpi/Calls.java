// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.hook.CallHook;
import org.ffmpi.base.hook.CallPoint;
import org.ffmpi.base.hook.CallSink;

/**
 * A listener that has been installed, and sees the MPI calls of this JVM until it is closed.
 *
 * {@snippet :
 * try (Calls watched = Calls.install(listener)) {
 *   solve(world);
 * }
 * }
 *
 * <p>Calls are seen when the JVM was started with ffmpi's agent, which {@code mpirun --profile} adds: it rewrites each
 * public method that serves the standard as its class is loaded. Without the agent no class is touched, and listening
 * is free because there is none. What is seen are the calls that the program makes: those of communicators, requests,
 * datatypes, attributes and all else, static ones and constructors included, by any thread. A call that is made inside
 * another, by ffmpi or by a function of the program that MPI calls (a copy function, a handler), belongs to that one
 * and is not seen by itself. {@link Mpi#run} is not a call but two: its initializing and its finalizing are seen, and
 * the calls of its body.
 */
public final class Calls implements AutoCloseable {
  private static final Calls[] NONE = {};

  /** In the order of installation; never changed, but replaced. */
  private static volatile Calls[] installed = NONE;

  private final CallListener listener;
  private volatile boolean removed;

  private Calls(CallListener listener) {
    this.listener = listener;
  }

  /**
   * Installs a listener, after those that are there. The call that is under way in a thread is not seen, the next one
   * is. The same listener may be installed more than once.
   *
   * @param listener the listener
   * @return to be closed when it has seen enough
   * @throws MpiException ERR_ARG when the listener is null; ERR_OTHER when this JVM was started without the agent, with
   *     a text with the way to add it
   */
  public static Calls install(CallListener listener) {
    if (listener == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "listener", null, "a CallListener");
    }
    if (!isPossible()) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "this JVM was started without ffmpi's agent, so that its calls cannot be seen: start the ranks with"
              + " mpirun --profile=on, other programs with the option -javaagent: and the path of ffmpi's api jar");
    }
    Calls calls = new Calls(listener);
    synchronized (Calls.class) {
      Calls[] more = new Calls[installed.length + 1];
      System.arraycopy(installed, 0, more, 0, installed.length);
      more[installed.length] = calls;
      replace(more);
    }
    return calls;
  }

  /**
   * Returns whether listeners can be installed.
   *
   * @return true when this JVM was started with the agent
   */
  public static boolean isPossible() {
    return CallHook.isRewritten();
  }

  /**
   * Removes the listener. It still sees the end of calls whose beginning it has seen. Closing twice does nothing.
   */
  @Override
  public void close() {
    synchronized (Calls.class) {
      int at = indexOf(this);
      if (at >= 0) {
        Calls[] less = new Calls[installed.length - 1];
        System.arraycopy(installed, 0, less, 0, at);
        System.arraycopy(installed, at + 1, less, at, less.length - at);
        replace(less);
      }
    }
  }

  private static int indexOf(Calls one) {
    for (int i = 0; i < installed.length; i++) {
      if (installed[i] == one) {
        return i;
      }
    }
    return -1;
  }

  private static void replace(Calls[] by) {
    installed = by;
    CallHook.report(by.length == 0 ? null : Dispatcher.INSTANCE);
  }

  /** Removes a listener that has thrown, and prints its exception. */
  private void drop(Throwable thrown) {
    synchronized (this) {
      if (removed) {
        return;
      }
      removed = true;
    }
    close();
    StringWriter text = new StringWriter();
    text.append("ffmpi: call listener ").append(listener.getClass().getName()).append(" is removed: it threw ");
    thrown.printStackTrace(new PrintWriter(text, true));
    System.err.print(text);
    System.err.flush();
  }

  /** Calls all listeners. */
  private static final class Dispatcher implements CallSink {
    static final Dispatcher INSTANCE = new Dispatcher();

    @Override
    public Object begin(CallPoint point, Object receiver, Object[] arguments) {
      Calls[] listeners = installed;
      Call call = new Call(point, receiver, arguments, listeners);
      for (Calls calls : listeners) {
        try {
          calls.listener.begin(call);
        } catch (Throwable e) {
          calls.drop(e);
        }
      }
      call.begin();
      return call;
    }

    @Override
    public void end(Object begun, Object result, Throwable thrown) {
      Call call = (Call) begun;
      call.end(result, thrown);
      Calls[] listeners = call.listeners();
      for (int i = listeners.length - 1; i >= 0; i--) {
        if (!listeners[i].removed) {
          try {
            listeners[i].listener.end(call);
          } catch (Throwable e) {
            listeners[i].drop(e);
          }
        }
      }
    }
  }
}
