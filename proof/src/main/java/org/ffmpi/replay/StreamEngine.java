// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.base.Constants;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.ForwardingEngine;
import org.ffmpi.spi.Operation;

/**
 * An engine with a stream of choices for each thread of the program, and for each window. Calls whose outcome is no
 * choice go straight to the engine below. Called by the threads that call an engine.
 *
 * @param <S> a stream
 */
abstract class StreamEngine<S> extends ForwardingEngine implements Choices {
  final ChannelNumbers channels;
  private final ThreadLocal<S> streams = new ThreadLocal<>();
  private volatile Thread main = Thread.currentThread();
  /** The context of the last call that was of no window; a lost update leads to a further look. */
  private long lastPlain = -1;
  /** The stream of that thread, which alone uses the field; null before its first choice. */
  private S ofMain;

  StreamEngine(Engine engine, ChannelNumbers channels) {
    super(engine);
    this.channels = channels;
  }

  /** Returns the stream of a thread that makes its first choice. */
  abstract S streamOf(Thread thread, boolean isMain);

  /** Returns the stream of the window that a context belongs to. */
  abstract S streamOfWindow(long context);

  /** Returns the stream of the calling thread. */
  final S stream() {
    Thread thread = Thread.currentThread();
    boolean isMain = thread == main;
    S known = isMain ? ofMain : streams.get();
    if (known == null) {
      known = streamOf(thread, isMain);
      if (isMain) {
        ofMain = known;
      } else {
        streams.set(known);
      }
    }
    return known;
  }

  /** Returns the stream of a call that chooses a message. */
  final S stream(long context) {
    if (context == lastPlain) {
      return stream();
    }
    if (channels.isWindow(context)) {
      return streamOfWindow(context);
    }
    lastPlain = context;
    return stream();
  }

  /** Returns whether the message of a receive is a choice. */
  static boolean isChoice(int peer, int tag) {
    return peer == Constants.ANY_SOURCE || tag == Constants.ANY_TAG;
  }

  /** Returns the name by which a thread is known in another run; empty for one that the JDK has named. */
  static String nameOf(Thread thread) {
    String name = thread.getName();
    return name.matches("Thread-\\d+") ? "" : name;
  }

  @Override
  public final Choices choices() {
    return this;
  }

  @Override
  public void setThread(Thread thread) {
    main = thread;
    super.setThread(thread);
  }

  @Override
  public void opened(Channel channel) {
    channels.add(channel);
    super.opened(channel);
  }

  @Override
  public final void await(Operation operation) {
    if (operation instanceof ObservedReceive observed) {
      engine.await(observed.below());
      observed.advance();
    }
    if (!operation.isDone()) {
      engine.await(operation);
    }
  }

  @Override
  public final void whenDone(Operation operation, Runnable action) {
    if (operation instanceof ObservedReceive observed) {
      engine.whenDone(observed.below(), () -> {
        observed.advance();
        action.run();
      });
    } else {
      engine.whenDone(operation, action);
    }
  }
}
