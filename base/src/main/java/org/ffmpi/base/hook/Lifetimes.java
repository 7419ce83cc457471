// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.hook;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The objects that a rank has made and not freed, where everything is checked. Constructors and {@code close} methods
 * call the static methods if {@link #kept} is set, in the thread of the program; they neither wait nor throw. An object
 * counts for the rank of the thread that makes it, or of a thread that has started that one.
 */
public abstract class Lifetimes {
  /** Whether a rank of this JVM keeps lifetimes; read before each call of the static methods. */
  public static volatile boolean kept;

  private static final List<Lifetimes> ALL = new CopyOnWriteArrayList<>();
  private static final InheritableThreadLocal<Lifetimes> OF_THREAD = new InheritableThreadLocal<>();

  /** Creates the lifetimes of a rank. */
  protected Lifetimes() {}

  /** Begins to keep lifetimes for the calling thread and those that it will start. */
  public final void begin() {
    OF_THREAD.set(this);
    synchronized (ALL) {
      ALL.add(this);
      kept = true;
    }
  }

  /** Ends that. Called by the thread that has begun it, after its last call. */
  public final void end() {
    OF_THREAD.remove();
    synchronized (ALL) {
      ALL.remove(this);
      kept = !ALL.isEmpty();
    }
  }

  /**
   * Notes that the program has made an object that it has to free.
   *
   * @param object the object, known by its identity
   * @param kind its kind, as sentences name it
   */
  public static void made(Object object, String kind) {
    Lifetimes own = OF_THREAD.get();
    if (own == null && ALL.size() == 1) {
      own = ALL.getFirst(); // a thread that is older than the rank
    }
    if (own != null) {
      own.onMade(object, kind);
    }
  }

  /**
   * Notes that an object has been freed, by whichever rank.
   *
   * @param object the object
   */
  public static void freed(Object object) {
    for (Lifetimes each : ALL) {
      each.onFreed(object);
    }
  }

  /**
   * Notes an object.
   *
   * @param object the object
   * @param kind its kind
   */
  protected abstract void onMade(Object object, String kind);

  /**
   * Forgets an object.
   *
   * @param object an object, perhaps of another rank
   */
  protected abstract void onFreed(Object object);

  /**
   * Exchanges with the other ranks which messages have not been received. Called when this rank has done what others
   * depend on.
   *
   * @param nanos how long to wait
   * @return false when the time was over first
   */
  public abstract boolean exchange(long nanos);

  /**
   * Reports what is left. Called once, after {@link #exchange}.
   *
   * @return the error of what the standard calls one, or null
   */
  public abstract RuntimeException report();
}
