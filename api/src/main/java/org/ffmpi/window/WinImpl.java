// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Win;
import org.ffmpi.spi.CountedMemory;

/** The implementation of every {@link Win}: one object for each topic of its calls, to which its methods lead. */
public final class WinImpl implements Win {
  private final WindowState state;
  private final WindowMemory memory;
  private final WindowProperties properties;
  private final Epochs epochs;
  private final WindowData data;
  private final Accumulations accumulations;
  private final WindowRequests requests;
  private final Synchronizer synchronizer;
  private final Served served;
  /** Holds the memory that the window was made over, if its users are counted; null otherwise. */
  private final CountedMemory.Lease lease;

  WinImpl(
      WindowState state, WindowMemory memory, WindowProperties properties, Epochs epochs, WindowData data,
      Accumulations accumulations, Synchronizer synchronizer, Served served,
      CountedMemory.Lease lease) {
    this.state = state;
    this.memory = memory;
    this.properties = properties;
    this.epochs = epochs;
    this.data = data;
    this.accumulations = accumulations;
    this.requests = new WindowRequests(state, epochs, data, accumulations, served);
    this.synchronizer = synchronizer;
    this.served = served;
    this.lease = lease;
    state.belongsTo(this);
  }

  /**
   * Returns what is behind a window.
   *
   * @param win a {@link Win}, under any of the interfaces that it is made of
   */
  public static WinImpl of(Object win) {
    return (WinImpl) win;
  }

  public WindowMemory memory() {
    return memory;
  }

  public WindowProperties properties() {
    return properties;
  }

  public Epochs epochs() {
    return epochs;
  }

  public WindowData data() {
    return data;
  }

  public Accumulations accumulations() {
    return accumulations;
  }

  public WindowRequests requests() {
    return requests;
  }

  @Override
  public void close() {
    if (state.isClosed() || !state.world.isOpen()) {
      return;
    }
    state.checkCommunication();
    epochs.checkNothingOpen();
    properties.deleteAttributes();
    try {
      served.completeAll();
      synchronizer.barrier();
      synchronizer.end();
      served.end();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    state.close();
    state.channel.close();
    if (lease != null) {
      lease.close();
    }
  }

  @Override
  public String toString() {
    return (properties.name().isEmpty() ? "Win" : properties.name()) + "[rank " + state.channel.rank() + " of "
        + state.size + ", " + memory.size() + " bytes]";
  }
}
