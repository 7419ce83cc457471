// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.ffmpi.trace.analysis.TraceAnalysis;
import org.ffmpi.trace.analysis.TraceBuilder;
import org.junit.jupiter.api.Test;

/** What the page reads: columns of numbers, and bins against a sum over all calls. */
class DetailLevelsTest {
  @Test
  void finerLevelsAreForMoreCalls() {
    assertArrayEquals(new int[] {512}, DetailLevels.sizes(10));
    assertArrayEquals(new int[] {512, 2048}, DetailLevels.sizes(8000));
    assertArrayEquals(new int[] {512, 2048, 8192, 32768, 131072}, DetailLevels.sizes(10_000_000));
  }

  @Test
  void numbersAreReadAsTheyWereWritten() throws DataFormatException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long[] numbers = new long[10_000];
    Columns columns = new Columns();
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextLong() >> 11 + random.nextInt(53);
      columns.addSigned(numbers[i]);
    }
    byte[] bytes = unpack(columns);
    int at = 0;
    for (long number : numbers) {
      long read = 0;
      int shift = 0;
      do {
        read |= (bytes[at] & 127L) << shift;
        shift += 7;
      } while (bytes[at++] < 0);
      assertEquals(number, read >>> 1 ^ -(read & 1), "seed " + seed);
    }
    assertEquals(bytes.length, at);
  }

  @Test
  void binsHoldTheTimeOfTheirCalls() throws DataFormatException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TraceBuilder trace = new TraceBuilder(2);
    long[] now = {0, 0};
    while (now[0] < 512_000) {
      for (int rank = 0; rank < 2; rank++) {
        long start = now[rank] + random.nextInt(3000);
        now[rank] = start + random.nextInt(5000);
        trace.send(rank, start, now[rank], 1 - rank, 0, 8, "eager");
      }
    }
    TraceAnalysis analysis = TraceAnalysis.of(trace.recording());
    Columns columns = new Columns();
    int[] sizes = {512, 2048};
    DetailLevels.write(analysis.lanes(), 0, analysis.waits(), sizes, columns);
    byte[] bytes = unpack(columns);
    assertEquals(2560 * CallColor.values().length, bytes.length);
    double bin = (analysis.lanes().end() - analysis.lanes().start()) / 512.0;
    for (int i = 0; i < 512; i++) {
      double from = analysis.lanes().start() + i * bin;
      double busy = 0;
      for (int call = 0; call < analysis.lanes().get(0).size(); call++) {
        busy += Math.max(0, Math.min(from + bin, analysis.lanes().get(0).end(call))
            - Math.max(from, analysis.lanes().get(0).start(call)));
      }
      int sends = CallColor.SEND.ordinal() * 512 + i;
      assertEquals(busy / bin * 255, bytes[sends] & 255, 1.001, "bin " + i + ", seed " + seed);
      int sum = 0;
      for (int fine = 0; fine < 4; fine++) {
        sum += bytes[512 * CallColor.values().length + CallColor.SEND.ordinal() * 2048 + 4 * i + fine] & 255;
      }
      assertEquals(bytes[sends] & 255, sum / 4.0, 1.001, "bins of both levels, seed " + seed);
    }
  }

  private static byte[] unpack(Columns columns) throws DataFormatException {
    Inflater inflater = new Inflater();
    inflater.setInput(Base64.getDecoder().decode(columns.text()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] chunk = new byte[4096];
    while (!inflater.finished()) {
      out.write(chunk, 0, inflater.inflate(chunk));
    }
    inflater.end();
    return out.toByteArray();
  }
}
