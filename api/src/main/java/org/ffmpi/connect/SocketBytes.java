// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The bytes of links over sockets. Interrupts of the thread do not reach the socket, which they would close. */
final class SocketBytes {
  private SocketBytes() {}

  /** Uses a channel; a pending interrupt is set again after each call. */
  static Link.Bytes of(SocketChannel channel, boolean closes) throws IOException {
    boolean wasBlocking = channel.isBlocking();
    channel.configureBlocking(false);
    return new Link.Bytes() {
      @Override
      public int read(ByteBuffer into) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
          return channel.read(into);
        } finally {
          restore(interrupted);
        }
      }

      @Override
      public int write(ByteBuffer from) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
          return channel.write(from);
        } finally {
          restore(interrupted);
        }
      }

      @Override
      public void close() throws IOException {
        if (closes) {
          channel.close();
        } else {
          channel.configureBlocking(wasBlocking);
        }
      }
    };
  }

  /** Uses a socket of streams, which stays open. */
  static Link.Bytes of(Socket socket) throws IOException {
    int timeout = socket.getSoTimeout();
    socket.setSoTimeout(1);
    return new Link.Bytes() {
      @Override
      public int read(ByteBuffer into) throws IOException {
        byte[] some = new byte[into.remaining()];
        try {
          int n = socket.getInputStream().read(some);
          if (n > 0) {
            into.put(some, 0, n);
          }
          return n;
        } catch (SocketTimeoutException e) {
          return 0;
        }
      }

      @Override
      public int write(ByteBuffer from) throws IOException {
        byte[] all = new byte[from.remaining()];
        from.get(all);
        socket.getOutputStream().write(all);
        return all.length;
      }

      @Override
      public void close() throws IOException {
        socket.setSoTimeout(timeout);
      }
    };
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
