// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.World;
import org.ffmpi.process.WorldPart;

/** The ports that a rank has open and the names that it has published; both end with its world. Any thread. */
public final class OpenPorts implements WorldPart {
  private final World world;
  private final Map<String, Port> ports = new HashMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();

  private OpenPorts(World world) {
    this.world = world;
  }

  /** Returns those of a world. */
  public static OpenPorts of(World world) {
    OpenPorts known = world.companion(OpenPorts.class);
    if (known == null) {
      known = world.companion(OpenPorts.class, new OpenPorts(world));
      world.add(known);
    }
    return known;
  }

  public synchronized String open() {
    Port port = Port.open(world.settings());
    ports.put(port.name(), port);
    return port.name();
  }

  public synchronized void close(String name) {
    opened(name).close();
    ports.remove(name);
  }

  /** Returns a port that this rank has open. */
  public synchronized Port opened(String name) {
    Port port = ports.get(name);
    if (port == null) {
      throw MpiException.argument(
          ErrorClass.ERR_PORT, "port", name,
          ports.isEmpty() ? "none: this rank has no port open" : ports.keySet().toString());
    }
    return port;
  }

  public synchronized void publish(String service, String port) {
    Names.publish(service, port, world.settings());
    names.put(service, port);
  }

  public synchronized void unpublish(String service, String port) {
    Names.unpublish(service, port, world.settings());
    names.remove(service);
  }

  @Override
  public boolean flush(long nanos) {
    return true;
  }

  @Override
  public void withdraw() {
    release();
  }

  @Override
  public synchronized void release() {
    names.forEach((service, port) -> {
      try {
        Names.unpublish(service, port, world.settings());
      } catch (MpiException e) {
        // another process has taken it back
      }
    });
    names.clear();
    ports.values().forEach(Port::close);
    ports.clear();
    world.remove(this);
  }
}
