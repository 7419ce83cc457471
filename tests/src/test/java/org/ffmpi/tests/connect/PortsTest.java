// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of ports and names, MPI-4.1 §11.9 and §11.10.3, between worlds of threads that were started apart. */
@Timeout(60)
class PortsTest {
  @TempDir Path temporary;

  private Map<String, String> settings() {
    return Map.of("ffmpi.errors", "return", "ffmpi.port.folder", temporary.resolve("ports").toString());
  }

  private CompletableFuture<Void> start(int ranks, Mpi.Body body) {
    return CompletableFuture.runAsync(
        () -> Mpi.runThreads(ranks, settings(), body), task -> Thread.ofPlatform().daemon().start(task));
  }

  private static void assertError(ErrorClass expected, Executable call) {
    MpiException e = assertThrows(MpiException.class, call);
    assertEquals(expected, e.errorClass(), e.toString());
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,3", "4,2"})
  void twoWorldsMeetAgainAndAgain(int servers, int clients) throws InterruptedException {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    int rounds = 5;
    CompletableFuture<Void> server = start(servers, mpi -> {
      String port = mpi.world().rank() == 0 ? mpi.openPort() : null;
      if (port != null) {
        told.add(port);
      }
      for (int i = 0; i < rounds; i++) {
        exchange(mpi.world().accept(port), i);
      }
      if (port != null) {
        mpi.closePort(port);
      }
    });
    String port = told.take();
    CompletableFuture<Void> client = start(clients, mpi -> {
      for (int i = 0; i < rounds; i++) {
        exchange(mpi.world().connect(mpi.world().rank() == 0 ? port : "ignored"), i);
      }
    });
    CompletableFuture.allOf(server, client).join();
    assertTrue(isEmpty(temporary.resolve("ports")));
  }

  private static boolean isEmpty(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private static void exchange(InterComm other, int round) {
    int[] sum = new int[1];
    other.allreduce(Buf.of(new int[] {other.rank() + round}), Buf.of(sum), Op.SUM);
    int n = other.remoteSize();
    assertEquals(n * (n - 1) / 2 + n * round, sum[0]);
    other.disconnect();
  }

  @Test
  void severalConnectionsAreOpenAtOnce() throws InterruptedException {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    CompletableFuture<Void> server = start(1, mpi -> {
      told.add(mpi.openPort());
      InterComm[] all = new InterComm[3];
      String port = told.peek();
      for (int i = 0; i < all.length; i++) {
        all[i] = mpi.self().accept(port);
      }
      for (InterComm each : all) {
        int[] got = new int[1];
        each.recv(got, 0, 0);
        each.send(got, 0, 0);
      }
      for (InterComm each : all) {
        each.disconnect();
      }
    });
    while (told.isEmpty()) {
      Thread.sleep(1);
    }
    CompletableFuture<Void> clients = start(3, mpi -> {
      InterComm mine = mpi.self().connect(told.peek(), Duration.ofSeconds(30));
      int[] got = new int[1];
      mine.send(new int[] {mpi.world().rank() + 7}, 0, 0);
      mine.recv(got, 0, 0);
      assertEquals(mpi.world().rank() + 7, got[0]);
      mine.disconnect();
    });
    CompletableFuture.allOf(server, clients).join();
  }

  @Test
  void whatIsNoOpenPortIsAnErrorAtOnce() {
    start(2, mpi -> {
      IntraComm world = mpi.world();
      assertError(ErrorClass.ERR_PORT, () -> world.connect("no such port"));
      assertError(ErrorClass.ERR_PORT, () -> world.connect("0000-0000-0000"));
      assertError(ErrorClass.ERR_PORT, () -> world.accept("0000-0000-0000"));
      assertError(ErrorClass.ERR_PORT, () -> mpi.closePort("0000-0000-0000"));
      assertError(ErrorClass.ERR_ROOT, () -> world.accept("", null, 5));
      String closed = mpi.openPort();
      mpi.closePort(closed);
      assertError(ErrorClass.ERR_PORT, () -> mpi.self().connect(closed));
      String silent = mpi.openPort();
      assertError(ErrorClass.ERR_PORT, () -> mpi.self().connect(silent, Duration.ofMillis(50)));
      assertNotEquals(closed, silent);
    }).join();
  }

  @Test
  void whoWaitsAtAPortThatIsClosedGetsAnError() throws InterruptedException {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    CompletableFuture<Void> server = start(1, mpi -> {
      String port = mpi.openPort();
      told.add(port);
      Thread.sleep(200);
      mpi.closePort(port);
    });
    String port = told.take();
    start(2, mpi -> assertError(ErrorClass.ERR_PORT, () -> mpi.world().connect(port))).join();
    server.join();
  }

  @Test
  void namesArePublishedOnce() {
    start(1, mpi -> {
      String port = mpi.openPort();
      assertError(ErrorClass.ERR_NAME, () -> mpi.lookup("solver"));
      mpi.publish("solver", port);
      assertEquals(port, mpi.lookup("solver"));
      assertError(ErrorClass.ERR_SERVICE, () -> mpi.publish("solver", port));
      assertError(ErrorClass.ERR_SERVICE, () -> mpi.unpublish("solver", "0000-0000-0000"));
      mpi.unpublish("solver", port);
      assertError(ErrorClass.ERR_NAME, () -> mpi.lookup("solver"));
      assertError(ErrorClass.ERR_SERVICE, () -> mpi.unpublish("solver", port));
      assertError(ErrorClass.ERR_SERVICE, () -> mpi.publish("", port));
      assertError(ErrorClass.ERR_PORT, () -> mpi.publish("viewer", "x"));
      mpi.publish("a name with / and \u00fc", port);
      mpi.publish("left behind", port);
    }).join();
    assertTrue(isEmpty(temporary.resolve("ports")));
  }

  @Test
  void aFolderThatOthersCanEnterIsRefused() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("ports"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
    start(1, mpi -> assertError(ErrorClass.ERR_OTHER, mpi::openPort)).join();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void socketsJoin() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket two = server.accept()) {
      List<Socket> sockets = List.of(one, two);
      start(2, mpi -> joined(mpi, mpi.join(sockets.get(mpi.world().rank())))).join();
      one.getOutputStream().write(5);
      assertEquals(5, two.getInputStream().read());
    }
  }

  @Test
  void channelsJoin() throws IOException {
    try (ServerSocketChannel server =
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel one = SocketChannel.open(server.getLocalAddress());
        SocketChannel two = server.accept()) {
      List<SocketChannel> channels = List.of(one, two);
      start(2, mpi -> joined(mpi, mpi.join(channels.get(mpi.world().rank())))).join();
      assertTrue(one.isBlocking());
    }
  }

  private static void joined(Mpi mpi, InterComm other) {
    assertEquals(1, other.remoteSize());
    int[] got = new int[1];
    int own = mpi.world().rank();
    other.sendrecv(Buf.of(new int[] {own}), 0, 0, Buf.of(got), 0, 0);
    assertEquals(1 - own, got[0]);
    other.disconnect();
  }
}
