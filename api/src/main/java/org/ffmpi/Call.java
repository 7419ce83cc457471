// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.hook.CallPoint;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.message.MessageImpl;
import org.ffmpi.process.RankEnvironment;
import org.ffmpi.process.World;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestsImpl;

/**
 * An MPI call that the program makes, as a {@link CallListener} sees it. Until it has ended, duration, result and what
 * it throws are not known. Arguments, receiver and result are the program's own objects, which a listener should not
 * keep for long.
 */
public final class Call {
  /** The name that arrays of data have as parameters; others are lists of numbers. */
  private static final String BARE_ARRAY = "data";

  private static final int UNKNOWN = -1;

  private final CallPoint point;
  private final Object receiver;
  private final Object[] arguments;
  private final Calls[] listeners;
  private final List<String> names;
  private final Comm communicator;
  private long start;
  private long nanos;
  private Object result;
  private Throwable thrown;

  Call(CallPoint point, Object receiver, Object[] arguments, Calls[] listeners) {
    this.point = point;
    this.receiver = receiver;
    this.arguments = arguments;
    this.listeners = listeners;
    this.names = receiver instanceof Attributes<?> table ? ofTable(point.names(), table) : point.names();
    this.communicator = find(receiver, arguments);
    this.start = System.nanoTime();
  }

  /** Excludes the time of listeners from the duration. */
  void begin() {
    start = System.nanoTime();
  }

  void end(Object returned, Throwable error) {
    nanos = System.nanoTime() - start;
    result = returned;
    thrown = error;
  }

  Calls[] listeners() {
    return listeners;
  }

  /**
   * Returns its names in the standard: all names that the method serves, the large-count forms and, where one method
   * stands for several calls, each of them.
   *
   * @return one name or more, such as {@code MPI_Send} and {@code MPI_Send_c}
   */
  public List<String> names() {
    return names;
  }

  /**
   * Returns the first of the names.
   *
   * @return such as {@code MPI_Send}
   */
  public String name() {
    return names.getFirst();
  }

  /**
   * Returns the name of the Java method.
   *
   * @return such as {@code send}; {@code <init>} for a constructor
   */
  public String method() {
    return point.method();
  }

  /**
   * Returns the object that is called.
   *
   * @return a communicator, a request, ...; null for static methods and constructors
   */
  public Object receiver() {
    return receiver;
  }

  /**
   * Returns the communicator that the call is about: the receiver, or the one that the receiving request, message or
   * scope belongs to; for static calls that of the first argument that has one.
   *
   * @return empty when there is none or it is not known, as for datatypes
   */
  public Optional<Comm> communicator() {
    return Optional.ofNullable(communicator);
  }

  /**
   * Returns the number of the calling rank in its world. It distinguishes the ranks of a
   * {@linkplain Mpi#runThreads world of threads}.
   *
   * @return the rank, or -1 when it is not known, as before initializing
   */
  public int rank() {
    if (communicator != null) {
      return CommImpl.of(communicator).state().world.rank();
    }
    Mpi mpi = receiver instanceof Mpi m ? m : result instanceof Mpi m ? m : null;
    World world = mpi == null ? RankEnvironment.current() : mpi.rankWorld();
    return world == null ? UNKNOWN : world.rank();
  }

  /**
   * Returns the arguments.
   *
   * @return in the order of the parameters, primitive ones boxed; not to be changed
   */
  public List<Object> arguments() {
    return Collections.unmodifiableList(Arrays.asList(arguments));
  }

  /**
   * Returns the names of the parameters.
   *
   * @return as many as there are {@link #arguments}
   */
  public List<String> parameters() {
    return point.parameters();
  }

  /**
   * Returns how many bytes of data the buffers among the arguments hold: for a send that is the message, for a receive
   * the room for it.
   *
   * @return the bytes of all buffers and bare arrays of data; 0 when there are none
   */
  public long bytes() {
    long bytes = 0;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof Buf<?> buf) {
        bytes += BufImpl.of(buf).packedBytes();
      } else if (arguments[i] != null && arguments[i].getClass().isArray()
          && point.parameters().get(i).equals(BARE_ARRAY)) {
        bytes += arrayBytes(arguments[i]);
      }
    }
    return bytes;
  }

  private static long arrayBytes(Object array) {
    return (long) Array.getLength(array) * Memory.elementSize(Memory.kindOfArray(array));
  }

  /**
   * Returns when the call began.
   *
   * @return a time of {@link System#nanoTime}
   */
  public long start() {
    return start;
  }

  /**
   * Returns how long the call took, without the time of listeners.
   *
   * @return nanoseconds; 0 until it has ended
   */
  public long nanos() {
    return nanos;
  }

  /**
   * Returns the result of the call.
   *
   * @return null until it has ended, when it returns nothing and when it has thrown
   */
  public Object result() {
    return result;
  }

  /**
   * Returns why the call failed.
   *
   * @return empty until it has ended, and when it has returned
   */
  public Optional<Throwable> thrown() {
    return Optional.ofNullable(thrown);
  }

  /**
   * Describes the call.
   *
   * @return its name in the standard and its arguments
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name()).append('(');
    for (int i = 0; i < arguments.length; i++) {
      text.append(i == 0 ? "" : ", ").append(parameters().get(i)).append('=');
      Object argument = arguments[i];
      boolean array = argument != null && argument.getClass().isArray();
      text.append(array ? argument.getClass().getComponentType().getSimpleName() + "[]" : argument);
    }
    return text.append(')').toString();
  }

  /** The same methods serve the attributes of all kinds of objects, which have calls of their own in the standard. */
  private static List<String> ofTable(List<String> names, Attributes<?> table) {
    String kind = table.object() instanceof Comm ? "MPI_Comm_" : "MPI_Type_";
    List<String> fitting = names.stream().filter(name -> name.startsWith(kind)).toList();
    return fitting.isEmpty() ? names : fitting;
  }

  private static Comm find(Object receiver, Object[] arguments) {
    Comm comm = of(receiver);
    for (int i = 0; comm == null && i < arguments.length; i++) {
      comm = of(arguments[i]);
    }
    return comm;
  }

  private static Comm of(Object object) {
    return switch (object) {
      case Comm comm -> comm;
      case Request request -> RequestImpl.of(request).communicator();
      case Requests scope -> RequestsImpl.communicator(scope);
      case Message message -> ((MessageImpl) message).communicator();
      case Attributes<?> table when table.object() instanceof Comm comm -> comm;
      case List<?> list -> ofAny(list);
      case null, default -> null;
    };
  }

  /** Reads a list without trusting it, since its class may be the program's own. */
  private static Comm ofAny(List<?> list) {
    try {
      for (Object entry : list) {
        if (entry instanceof Request request && RequestImpl.of(request).communicator() != null) {
          return RequestImpl.of(request).communicator();
        }
      }
    } catch (RuntimeException e) {
      // the call itself will report the error
    }
    return null;
  }
}
