// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/**
 * A port that this process has open, which is a local socket in the user's {@link PortFolder}. Its name is a random
 * number of 60 bits in twelve letters and digits that are hard to confuse. Any thread.
 */
public final class Port implements AutoCloseable {
  private static final String LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 12;
  private static final int BITS = 5;
  private static final int GROUP = 4;
  private static final int BACKLOG = 128;

  private final String name;
  private final Path path;
  private final ServerSocketChannel socket;

  private Port(String name, Path path, ServerSocketChannel socket) {
    this.name = name;
    this.path = path;
    this.socket = socket;
  }

  /**
   * Opens a port.
   *
   * @param settings settings of the process
   * @return the port
   * @throws MpiException ERR_OTHER when the user's folder cannot be used
   */
  public static Port open(Settings settings) {
    PortFolder folder = PortFolder.of(settings);
    String name = nameOf(random());
    Path path = folder.socketOf(name);
    try {
      folder.sweep();
      ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      socket.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      socket.configureBlocking(false);
      return new Port(name, path, socket);
    } catch (IOException | RuntimeException e) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "no port can be opened at " + path + " (setting " + ConnectSettings.FOLDER.name() + "): " + e, e);
    }
  }

  /** Returns a random number straight from the kernel: the first SecureRandom of a JVM costs 10 ms. */
  private static long random() {
    try (RandomAccessFile kernel = new RandomAccessFile("/dev/urandom", "r")) {
      return kernel.readLong();
    } catch (IOException e) {
      return new SecureRandom().nextLong();
    }
  }

  /**
   * Returns the name of a number.
   *
   * @param number its lowest 60 bits count
   * @return three groups of four letters and digits
   */
  public static String nameOf(long number) {
    StringBuilder text = new StringBuilder();
    for (int i = LENGTH - 1; i >= 0; i--) {
      text.append(LETTERS.charAt((int) (number >>> BITS * i) & LETTERS.length() - 1));
      if (i > 0 && i % GROUP == 0) {
        text.append('-');
      }
    }
    return text.toString();
  }

  /**
   * Returns the number of a name.
   *
   * @param name what {@link #nameOf} has returned
   * @return the number; -1 for any other text
   */
  public static long numberOf(String name) {
    long number = 0;
    int letters = 0;
    for (int i = 0; i < name.length(); i++) {
      int digit = LETTERS.indexOf(name.charAt(i));
      if (digit >= 0) {
        number = number << BITS | digit;
        letters++;
      } else if (name.charAt(i) != '-') {
        return -1;
      }
    }
    return letters == LENGTH && nameOf(number).equals(name) ? number : -1;
  }

  /**
   * Returns the name by which others connect.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Accepts a connection if one is asked for.
   *
   * @return the line to the process that asks; null when none does
   * @throws MpiException ERR_PORT when the port has been closed
   */
  public Link accept() {
    boolean interrupted = Thread.interrupted();
    try {
      SocketChannel accepted = socket.accept();
      return accepted == null ? null : new Link(SocketBytes.of(accepted, true));
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_PORT, "port " + name + " has been closed", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Connects to a port, of any process of this user.
   *
   * @param name its name
   * @param settings settings of the process
   * @return the line to the process that has it open
   * @throws MpiException ERR_PORT when no such port is open
   */
  public static Link connect(String name, Settings settings) {
    if (name == null || numberOf(name) < 0) {
      throw MpiException.argument(
          ErrorClass.ERR_PORT, "port", name, "names that openPort has returned, such as " + nameOf(0x3579BDF13579BDFL));
    }
    boolean interrupted = Thread.interrupted();
    try {
      Optional<Path> path = PortFolder.of(settings).find(name);
      if (path.isEmpty()) {
        throw new MpiException(ErrorClass.ERR_PORT, "no process of this user has the port " + name + " open");
      }
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path.get()));
      return new Link(SocketBytes.of(channel, true));
    } catch (IOException e) {
      throw new MpiException(
          ErrorClass.ERR_PORT, "the process that had the port " + name + " open has ended, or has closed it", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // the sweep of a later port deletes it
    }
  }
}
