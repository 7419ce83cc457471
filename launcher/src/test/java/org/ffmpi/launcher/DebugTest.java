// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.RankOptions;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Debuggers and profilers: a port for each rank, and options of the JVM for some of them. */
@Tag("process")
@Timeout(240)
class DebugTest {
  private static final byte[] HANDSHAKE = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);

  /** The command VirtualMachine.Resume: length, id, flags, set of commands, command. */
  private static final byte[] RESUME = ByteBuffer.allocate(11).putInt(11).putInt(1).put(new byte[] {0, 1, 9}).array();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static CommandLine parse(String... words) throws UsageException {
    return CommandLine.parse(words);
  }

  private static String complaint(String... words) {
    return assertThrows(UsageException.class, () -> CommandLine.parse(words)).getMessage();
  }

  /** Finds some ports in a row that nobody listens at. */
  private static int freePorts(int ports) throws IOException {
    for (int base = 21_000 + (int) (ProcessHandle.current().pid() % 10_000);; base += ports) {
      try {
        for (int port = base; port < base + ports; port++) {
          new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        }
        return base;
      } catch (IOException e) {
        assertTrue(base < 60_000, "no free ports");
      }
    }
  }

  private static Socket connect(int port) throws IOException, InterruptedException {
    for (int i = 0;; i++) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        return socket;
      } catch (ConnectException e) {
        socket.close();
        assertTrue(i < 6_000, "nobody listens at port " + port);
        Thread.sleep(10);
      }
    }
  }

  /** Reads packets, events among them, up to the reply: a connection that is closed before may lose the command. */
  private static void awaitReply(DataInputStream in) throws IOException {
    int flags;
    do {
      int length = in.readInt();
      in.readInt();
      flags = in.readUnsignedByte();
      in.readNBytes(length - 9);
    } while (flags != 0x80);
  }

  /** A time limit of a millisecond would end the job at once. */
  @Test
  void aRankWaitsForItsDebuggerAndNoTimeLimitEndsIt() throws Exception {
    int port = freePorts(2);
    Launcher launcher =
        Launcher.of(2).main(Programs.Gathers.class.getName()).setting("ffmpi.debug", Integer.toString(port))
            .setting("ffmpi.debug.suspend", "1").timeout(Duration.ofMillis(1)).output(out).errors(err);
    try (Job job = launcher.start()) {
      for (int rank : new int[] {0, 1}) {
        try (Socket socket = connect(port + rank)) {
          socket.getOutputStream().write(HANDSHAKE);
          assertArrayEquals(HANDSHAKE, socket.getInputStream().readNBytes(HANDSHAKE.length), "rank " + rank);
          assertTrue(rank == 0 || job.end() == null);
          socket.getOutputStream().write(RESUME);
          awaitReply(new DataInputStream(socket.getInputStream()));
        }
      }
      assertEquals(0, job.await(), err::toString);
    }
    assertTrue(
        err.toString().startsWith(
            "mpirun: debuggers attach to port " + port + " + rank, " + port + " to " + (port + 1)
                + "; rank 1 waits for one; time limits and the watchdog are off\n"), err::toString);
  }

  @Test
  void aPortThatIsTakenIsNamedBeforeAnyRankStarts() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      Launcher launcher =
          Launcher.of(1).main(Programs.Hello.class.getName()).setting("ffmpi.debug", Integer.toString(port));
      String text = assertThrows(MpiException.class, launcher::start).getMessage();
      assertTrue(text.contains("port " + port + ", where a debugger would attach to rank 0, cannot be had"), text);
    }
  }

  @Test
  void optionsForSomeRanksAreRead() throws Exception {
    CommandLine line =
        parse("-n", "2", "--vmargs-rank", "0,3:-Xmx1g '-Dx=a b'", "--vmargs-rank=all:-Dr=%r", "A", ":", "-n", "2", "B");
    assertEquals(List.of("-Xmx1g", "-Dx=a b", "-Dr=3"), RankOptions.of(line.rankOptions(), 3));
    assertEquals(List.of("-Dr=1"), RankOptions.of(line.rankOptions(), 1));
    assertTrue(complaint("-n", "2", "--vmargs-rank", "-Xmx1g", "A").contains("say RANKS:OPTIONS"));
    assertTrue(complaint("-n", "2", "--vmargs-rank", "2-1:-Xmx1g", "A").contains("say RANKS:OPTIONS"));
    assertTrue(complaint("-n", "2", "--vmargs-rank", "1:", "A").contains("no options"));
    assertTrue(complaint("-n", "2", "--vmargs-rank", "1:-Dx=a b", "A").contains("b is no option"));
    assertTrue(complaint("-n", "2", "--vmarg-rank", "1:-ea", "A").contains("did you mean --vmargs-rank?"));
    Launcher launcher = Launcher.of(2).main(Programs.Hello.class.getName()).rankOptions(2, "-ea");
    assertTrue(assertThrows(MpiException.class, launcher::start).getMessage().contains("ranks 0..1 of this job"));
  }

  @Test
  void eachRankHasAFlightRecordingWithItsNumber(@TempDir Path folder) throws Exception {
    CommandLine line =
        parse("-n", "2", "--vmargs-rank", "all:-XX:StartFlightRecording=filename=" + folder + "/rank-%r.jfr", "A");
    Launcher launcher =
        Launcher.of(2).main(Programs.Hello.class.getName()).output(out).errors(err)
            .rankOptions(0, RankOptions.of(line.rankOptions(), 0).toArray(String[]::new))
            .rankOptions(1, RankOptions.of(line.rankOptions(), 1).toArray(String[]::new));
    assertEquals(0, launcher.run(), err::toString);
    assertTrue(Files.size(folder.resolve("rank-0.jfr")) > 0);
    assertTrue(Files.size(folder.resolve("rank-1.jfr")) > 0);
    assertFalse(Files.exists(folder.resolve("rank-%r.jfr")));
  }
}
