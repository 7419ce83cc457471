// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.Info;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Incidents;

/**
 * The interest of a tool in one type of events, with its callbacks (MPI-4.1 section 15.3.8). Where C passes a pointer
 * to data of the tool, a callback in Java has its own fields.
 *
 * <p>An event happens where the engine may hold locks, in any thread: the place requires
 * {@link CallbackSafety#THREAD_SAFE}. A callback with that promise is called there; otherwise one that promises less is
 * called by the thread of the tool, for which events wait in a queue. When the queue is full they are dropped, and the
 * dropped handler learns of their number. A callback that throws is treated like a thread that dies of an exception.
 *
 * <p>Any thread. No call blocks.
 */
public final class EventRegistration implements AutoCloseable {
  /** The hint for the length of the queue: the most events that wait for the thread of the tool. */
  public static final String QUEUE = "ffmpi_event_queue";

  private static final int USUAL_QUEUE = 1024;
  private static final int LONGEST_QUEUE = 1 << 20;
  private static final CallbackSafety AT_THE_PLACE = CallbackSafety.THREAD_SAFE;

  private final ToolState state;
  private final Incident incident;
  private final Channel channel;
  private final Incidents.Listener listener = this::happened;

  /** By safety, null where none is registered; replaced as a whole, with the monitor held. */
  private volatile EventCallback[] callbacks = new EventCallback[CallbackSafety.values().length];

  private volatile DroppedCallback droppedHandler;
  private volatile int queue = USUAL_QUEUE;
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();

  /** Calls of callbacks at the place of events that have begun and not ended. */
  private final AtomicInteger running = new AtomicInteger();

  /** Guarded by the monitor. */
  private boolean listens;

  private volatile boolean closed;

  EventRegistration(ToolState state, Incident incident, Channel channel, Info hints) {
    this.state = state;
    this.incident = incident;
    this.channel = channel;
    accept(hints);
  }

  private void check() {
    state.check();
    if (closed) {
      throw new ToolException(
          ErrorClass.T_ERR_INVALID_HANDLE, "the registration for " + incident.title() + " was freed");
    }
  }

  // ---- callbacks

  /**
   * Registers a callback, in place of an earlier one with the same promise ({@code MPI_T_event_register_callback},
   * MPI-4.1 section 15.3.8).
   *
   * @param safety what the callback promises
   * @param hints null, or an info, whose hints are as those of {@link #setInfo}
   * @param callback what to do; null removes the callback with this promise
   * @throws ToolException T_ERR_INVALID for null as safety or an impossible hint, T_ERR_INVALID_HANDLE after
   *     {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_register_callback")
  public void register(CallbackSafety safety, Info hints, EventCallback callback) {
    check();
    checkSafety(safety);
    accept(hints);
    state.deliverer().start();
    boolean begins;
    synchronized (this) {
      EventCallback[] all = callbacks.clone();
      all[safety.ordinal()] = callback;
      callbacks = all;
      begins = !listens;
      listens = true;
    }
    if (begins) {
      state.whenJoined(this::listen);
    }
  }

  private synchronized void listen(Engine engine) {
    if (!closed && engine.incidents() != null) {
      engine.incidents().add(listener);
    }
  }

  private void checkSafety(CallbackSafety safety) {
    if (safety == null) {
      throw ToolException.of(
          ErrorClass.T_ERR_INVALID, "safety", null, Arrays.toString(CallbackSafety.values()));
    }
  }

  /**
   * Sets what is done when events are lost ({@code MPI_T_event_set_dropped_handler}, MPI-4.1 section 15.3.8).
   *
   * @param handler what to do; null: nothing
   * @throws ToolException T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_set_dropped_handler")
  public void setDroppedHandler(DroppedCallback handler) {
    check();
    droppedHandler = handler;
  }

  private void happened(Incident what, Object bound, long first, long second, long third) {
    if (what != incident || channel != null && bound != channel || closed || state.isClosed()) {
      return;
    }
    EventCallback[] known = callbacks;
    for (int i = AT_THE_PLACE.ordinal(); i < known.length; i++) {
      if (known[i] != null) {
        callHere(known[i], new EventInstance(what, System.nanoTime(), first, second, third));
        return;
      }
    }
    for (int i = AT_THE_PLACE.ordinal() - 1; i >= 0; i--) {
      if (known[i] != null) {
        EventCallback callback = known[i];
        if (queued.get() >= queue) {
          dropped.getAndIncrement();
        } else {
          queued.getAndIncrement();
          EventInstance event = new EventInstance(what, System.nanoTime(), first, second, third);
          state.deliverer().deliver(() -> callLater(callback, event));
        }
        return;
      }
    }
  }

  /** Runs in the thread of the program, into which no exception of a tool may come. */
  private void callHere(EventCallback callback, EventInstance event) {
    running.getAndIncrement();
    try {
      callback.happened(event, this, AT_THE_PLACE);
    } catch (RuntimeException | Error e) {
      state.deliverer().deliver(() -> {
        throw e;
      });
    } finally {
      running.getAndDecrement();
    }
  }

  private void callLater(EventCallback callback, EventInstance event) {
    queued.getAndDecrement();
    reportDropped();
    callback.happened(event, this, CallbackSafety.NONE);
  }

  private void reportDropped() {
    DroppedCallback handler = droppedHandler;
    long lost = handler == null ? 0 : dropped.getAndSet(0);
    if (lost != 0) {
      handler.dropped(lost, this, new EventSource(incident.source()), CallbackSafety.NONE);
    }
  }

  // ---- hints

  /**
   * Accepts hints ({@code MPI_T_event_handle_set_info}, MPI-4.1 section 15.3.8).
   *
   * @param hints an info; of its keys {@value #QUEUE} counts, the most events that wait for the thread of the tool,
   *     from 1 on
   * @throws ToolException T_ERR_INVALID for an impossible hint, T_ERR_INVALID_HANDLE after {@link #close},
   *     T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_handle_set_info")
  public void setInfo(Info hints) {
    check();
    accept(hints);
  }

  private void accept(Info hints) {
    String text = hints == null ? null : hints.get(QUEUE).orElse(null);
    if (text == null) {
      return;
    }
    int length;
    try {
      length = Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      length = 0;
    }
    if (length < 1 || length > LONGEST_QUEUE) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID, QUEUE, text, "1.." + LONGEST_QUEUE);
    }
    queue = length;
  }

  /**
   * Returns the hints in use ({@code MPI_T_event_handle_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return a new info with the key {@value #QUEUE}
   * @throws ToolException T_ERR_INVALID_HANDLE after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_handle_get_info")
  public Info info() {
    check();
    return new Info().set(QUEUE, Integer.toString(queue));
  }

  /**
   * Accepts hints for a callback ({@code MPI_T_event_callback_set_info}, MPI-4.1 section 15.3.8), which are those of
   * {@link #setInfo}: the callbacks of a registration have one queue.
   *
   * @param safety the promise of a callback that is registered
   * @param hints an info
   * @throws ToolException T_ERR_INVALID for a promise without a callback or an impossible hint, T_ERR_INVALID_HANDLE
   *     after {@link #close}, T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_callback_set_info")
  public void setCallbackInfo(CallbackSafety safety, Info hints) {
    checkRegistered(safety);
    accept(hints);
  }

  /**
   * Returns the hints in use for a callback ({@code MPI_T_event_callback_get_info}, MPI-4.1 section 15.3.8).
   *
   * @param safety the promise of a callback that is registered
   * @return a new info, with the key {@value #QUEUE} where events wait for this callback
   * @throws ToolException T_ERR_INVALID for a promise without a callback, T_ERR_INVALID_HANDLE after {@link #close},
   *     T_ERR_NOT_INITIALIZED after {@link Tool#close}
   */
  @Standard("MPI_T_event_callback_get_info")
  public Info callbackInfo(CallbackSafety safety) {
    checkRegistered(safety);
    return safety.compareTo(AT_THE_PLACE) < 0 ? info() : new Info();
  }

  private void checkRegistered(CallbackSafety safety) {
    check();
    checkSafety(safety);
    if (callbacks[safety.ordinal()] == null) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID, "safety", safety, "those with which a callback is registered");
    }
  }

  // ---- the end

  /** Frees the registration ({@code MPI_T_event_handle_free}, MPI-4.1 section 15.3.8), as {@link #close(Runnable)}. */
  @Override
  @Standard("MPI_T_event_handle_free")
  public void close() {
    close(() -> { });
  }

  /**
   * Frees the registration ({@code MPI_T_event_handle_free}, MPI-4.1 section 15.3.8). No event that happens later is
   * reported; those that wait are. Does nothing the second time.
   *
   * @param freed called by the thread of the tool when no callback will be called any more
   *     ({@code MPI_T_event_free_cb_function})
   */
  @Standard("MPI_T_event_handle_free")
  public void close(Runnable freed) {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    Engine engine = state.engine();
    if (engine != null && engine.incidents() != null) {
      engine.incidents().remove(listener);
    }
    state.deliverer().start();
    state.deliverer().deliver(() -> end(freed));
  }

  private void end(Runnable freed) {
    if (running.get() != 0) {
      Thread.yield();
      state.deliverer().deliver(() -> end(freed));
      return;
    }
    reportDropped();
    freed.run();
  }
}
