// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineForwarderTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final OutputSink sink = new OutputSink(out);

  private static void feed(LineForwarder f, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    f.accept(bytes, bytes.length);
  }

  private String written() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aLineWaitsForItsEnd() {
    LineForwarder f = new LineForwarder(sink, "", null);
    feed(f, "one\ntw");
    assertEquals("one\n", written());
    assertTrue(f.hasPartial());
    feed(f, "o\n");
    assertEquals("one\ntwo\n", written());
    assertFalse(f.hasPartial());
  }

  @Test
  void aReturnEndsALine() {
    LineForwarder f = new LineForwarder(sink, "", null);
    feed(f, "10 %\r20 %\r30");
    assertEquals("10 %\r20 %\r", written());
  }

  @Test
  void aPartialLineIsEndedBeforeAnotherSourceWrites() {
    LineForwarder a = new LineForwarder(sink, "", null);
    LineForwarder b = new LineForwarder(sink, "", null);
    feed(a, "name? ");
    a.writePartial();
    feed(b, "hello\n");
    feed(a, "x\n");
    assertEquals("name? \nhello\nx\n", written());
  }

  @Test
  void othersWaitForTheEndOfAnUnfinishedLine() throws InterruptedException {
    LineForwarder a = new LineForwarder(sink, "", null);
    LineForwarder b = new LineForwarder(sink, "", null);
    feed(a, "half");
    a.writePartial();
    Thread other = new Thread(() -> feed(b, "other\n"));
    other.start();
    feed(a, " and half\n");
    other.join();
    assertEquals("half and half\nother\n", written());
  }

  @Test
  void nobodyWaitsForALineWhoseSourceHasEnded() {
    LineForwarder a = new LineForwarder(sink, "", null);
    LineForwarder b = new LineForwarder(sink, "", null);
    feed(a, "last words");
    a.end();
    feed(b, "other\n");
    assertEquals("last words\nother\n", written());
  }

  @Test
  void aPartialLineGoesOnWhereNobodyElseWrites() {
    LineForwarder a = new LineForwarder(sink, "[0] ", null);
    feed(a, "name? ");
    a.writePartial();
    feed(a, "x\ny\n");
    assertEquals("[0] name? x\n[0] y\n", written());
  }

  @Test
  void aProgressBarIsNotOverwritten() {
    LineForwarder a = new LineForwarder(sink, "", null);
    LineForwarder b = new LineForwarder(sink, "", null);
    feed(a, "40 %\r");
    feed(b, "hi\n");
    feed(a, "50 %\r");
    assertEquals("40 %\r\nhi\n50 %\r", written());
  }

  @Test
  void theTwoHalvesOfALineEndMayBeTornApart() {
    LineForwarder a = new LineForwarder(sink, "[0] ", null);
    LineForwarder b = new LineForwarder(sink, "[1] ", null);
    feed(a, "one\r");
    feed(a, "\ntwo\r");
    feed(b, "b\n");
    feed(a, "\nthree\n");
    assertEquals("[0] one\r\n[0] two\r\n[1] b\n[0] three\n", written());
  }

  @Test
  void everyLineIsTagged() {
    LineForwarder f = new LineForwarder(sink, "[3] ", null);
    feed(f, "a\n\nb\r\nc\rd\n");
    assertEquals("[3] a\n[3] \n[3] b\r\n[3] c\r[3] d\n", written());
  }

  @Test
  void anUnwantedLineIsLeftOutOnce() {
    String warning = "some warning\n";
    LineForwarder f = new LineForwarder(sink, "", "some warning");
    feed(f, "first\n" + warning + "second\n");
    feed(f, warning);
    assertEquals("first\nsecond\n" + warning, written());
  }

  @Test
  void aLineWithoutEndIsPassedOnInPieces() {
    LineForwarder f = new LineForwarder(sink, "", null);
    byte[] chunk = new byte[100_000];
    for (int i = 0; i < 30; i++) {
      f.accept(chunk, chunk.length);
    }
    assertTrue(out.size() >= 2 * LineForwarder.LONGEST, out.size() + " bytes");
    f.writePartial();
    assertEquals(3_000_000, out.size());
  }

  @Test
  void bytesAreForwardedUnchangedHoweverTheyArrive() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] all = new byte[20_000];
    random.nextBytes(all);
    for (int i = 0; i < all.length; i++) {
      all[i] = random.nextInt(10) == 0 ? (byte) (random.nextBoolean() ? '\n' : '\r') : all[i];
    }
    LineForwarder f = new LineForwarder(sink, "", "a line that does not come");
    for (int from = 0; from < all.length; ) {
      int n = Math.min(all.length - from, 1 + random.nextInt(300));
      byte[] chunk = new byte[n];
      System.arraycopy(all, from, chunk, 0, n);
      f.accept(chunk, n);
      if (random.nextInt(5) == 0) {
        f.writePartial();
      }
      from += n;
    }
    f.writePartial();
    assertArrayEquals(all, out.toByteArray(), "seed " + seed);
  }
}
