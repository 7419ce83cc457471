// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.objects;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;

/** A value with fields of several types, compared by the content of its array. */
record Particle(int number, String name, List<Integer> tags, double[] data) implements Serializable {
  /** Lengths around the limits of arrays beside the bytes and of heads. */
  private static final int[] LENGTHS = {0, 1, 40, 60, 100, 230, 250, 255, 256, 257, 1_000, 10_000, 70_000};

  static Particle of(RandomGenerator random) {
    String name = "ä".repeat(random.nextInt(5) == 0 ? random.nextInt(5_000) : random.nextInt(20));
    double[] data = new double[LENGTHS[random.nextInt(LENGTHS.length)]];
    for (int i = 0; i < data.length; i += 1 + i / 4) {
      data[i] = random.nextDouble();
    }
    return new Particle(random.nextInt(), name, List.of(random.nextInt(9)), data);
  }

  static Particle of(int number, int length) {
    double[] data = new double[length];
    Arrays.setAll(data, i -> number + i);
    return new Particle(number, "p" + number, List.of(number), data);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Particle p && p.number == number && p.name.equals(name) && p.tags.equals(tags)
        && Arrays.equals(p.data, data);
  }

  @Override
  public int hashCode() {
    return number;
  }

  /** Writes particles without Java's serialization. */
  static final class OwnCodec implements Codec<Particle> {
    @Override
    public void write(Particle p, CodecOutput out) throws IOException {
      out.writeInt(p.number);
      out.writeUTF(p.name);
      out.writeInt(p.tags.getFirst());
      out.writeArray(p.data);
    }

    @Override
    public Particle read(CodecInput in) throws IOException {
      return new Particle(in.readInt(), in.readUTF(), List.of(in.readInt()), in.readArray(double[].class));
    }
  }
}
