// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.ffmpi.Comm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.process.Membership;
import org.ffmpi.process.RankEnvironment;
import org.ffmpi.process.RankMeasures;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Gauge;
import org.ffmpi.spi.SettingCatalog;

/**
 * The state that all objects of one {@link Tool} share. It knows whether the tool is open, and the rank that it looks
 * at, which may come later and may have left. Any thread.
 */
final class ToolState {
  /** The rank thread that has made the tool; null: the process, which may not have joined its job yet. */
  private final Membership ofThread = RankEnvironment.ofRankThread();

  private final Deliverer deliverer = new Deliverer();
  private final SettingCatalog catalog;
  private volatile boolean closed;

  ToolState() {
    ClassLoader own = ToolState.class.getClassLoader();
    this.catalog = ServiceLoader.load(SettingCatalog.class, own).findFirst().orElse(null);
    if (catalog != null) {
      catalog.loadAll();
    }
  }

  // ---- open or closed

  void check() {
    if (closed) {
      throw new ToolException(
          ErrorClass.T_ERR_NOT_INITIALIZED, "the tool was closed, and its objects cannot be used any more");
    }
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    deliverer.close();
  }

  /** Returns the thread that calls callbacks which must not be called in place. */
  Deliverer deliverer() {
    return deliverer;
  }

  // ---- the rank

  private Membership membership() {
    return ofThread != null ? ofThread : Membership.present();
  }

  /** Returns the engine of the rank, which may have left; null as long as there is no rank. */
  Engine engine() {
    Membership present = membership();
    return present == null ? null : present.engine();
  }

  /** Runs an action with the engine of the rank, as soon as there is one. */
  void whenJoined(Consumer<Engine> action) {
    if (ofThread != null) {
      action.accept(ofThread.engine());
    } else {
      Membership.whenJoined(joined -> action.accept(joined.engine()));
    }
  }

  /** Returns where the rank keeps a measure; null as long as there is no rank, or when it keeps no such measure. */
  Gauge gauge(Measure measure, Channel channel) {
    Membership present = membership();
    return present == null
        ? null
        : RankMeasures.gauge(
            measure, present.engine(), () -> present.collectives(present.engine().settings()), channel);
  }

  Settings settings() {
    Engine engine = engine();
    return engine == null ? Settings.ofProcess() : engine.settings();
  }

  /** Returns whether users may set a setting at all. */
  boolean isForUsers(Setting<?> setting) {
    return catalog == null || catalog.isForUsers(setting);
  }

  // ---- objects that variables and events are bound to

  /** Returns the channel of a communicator, after checking that the variable wants one. */
  Channel channel(Comm comm, Binding binding, String name) {
    if (binding == Binding.NO_OBJECT) {
      if (comm != null) {
        throw ToolException.of(
            ErrorClass.T_ERR_INVALID, "comm", comm, "null, since " + name + " belongs to no communicator");
      }
      return null;
    }
    if (comm == null) {
      throw ToolException.of(
          ErrorClass.T_ERR_INVALID, "comm", null, "communicators, since " + name + " belongs to one");
    }
    return CommImpl.of(comm).channel();
  }
}
