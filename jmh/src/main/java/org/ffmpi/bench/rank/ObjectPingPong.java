// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;
import org.ffmpi.Mpi;

/** Objects back and forth between two ranks, by Java's serialization, by a codec, and as bare arrays. */
public final class ObjectPingPong extends RankProgram {
  private static final int TAG = 1;
  private static final long RECORD = 100;
  private static final long ARRAY = 80_000;

  private final int peer;

  /** A hundred bytes of numbers. */
  private record Body(
      int kind, long id, double x, double y, double z, double vx, double vy, double vz, double ax, double ay,
      double az, double mass, double charge) implements Serializable {}

  /** An array inside an object. */
  private record Field(int step, double[] values) implements Serializable {}

  private static final class BodyCodec implements Codec<Body> {
    @Override
    public void write(Body b, CodecOutput out) throws IOException {
      out.writeInt(b.kind);
      out.writeLong(b.id);
      out.writeDouble(b.x);
      out.writeDouble(b.y);
      out.writeDouble(b.z);
      out.writeDouble(b.vx);
      out.writeDouble(b.vy);
      out.writeDouble(b.vz);
      out.writeDouble(b.ax);
      out.writeDouble(b.ay);
      out.writeDouble(b.az);
      out.writeDouble(b.mass);
      out.writeDouble(b.charge);
    }

    @Override
    public Body read(CodecInput in) throws IOException {
      return new Body(in.readInt(), in.readLong(), in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(),
          in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(),
          in.readDouble());
    }
  }

  private static final class FieldCodec implements Codec<Field> {
    @Override
    public void write(Field f, CodecOutput out) throws IOException {
      out.writeInt(f.step);
      out.writeArray(f.values);
    }

    @Override
    public Field read(CodecInput in) throws IOException {
      return new Field(in.readInt(), in.readArray(double[].class));
    }
  }

  private ObjectPingPong(Mpi mpi) {
    super(mpi);
    requireTwoRanks("objects");
    peer = 1 - rank;
  }

  public static void main(String[] args) {
    start(args, ObjectPingPong::new);
  }

  @Override
  List<Work> warmUpWork() {
    return Work.of("latency", List.of("bare", "object", "codec"), RECORD, ARRAY);
  }

  @Override
  Prepared prepare(Work work) {
    if (!work.bench().equals("latency") || work.bytes() != RECORD && work.bytes() != ARRAY) {
      throw new IllegalArgumentException("unknown work: " + work);
    }
    boolean isRecord = work.bytes() == RECORD;
    return switch (work.name()) {
      case "bare" -> isRecord ? bareBytes() : bareDoubles();
      case "object" -> isRecord ? objects(body(), Codec.objects()) : objects(field(), Codec.objects());
      case "codec" -> isRecord ? objects(body(), new BodyCodec()) : objects(field(), new FieldCodec());
      default -> throw new IllegalArgumentException("unknown case: " + work);
    };
  }

  private static Body body() {
    return new Body(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
  }

  private static Field field() {
    double[] values = new double[(int) (ARRAY / Double.BYTES)];
    Arrays.setAll(values, i -> i);
    return new Field(7, values);
  }

  private Prepared bareBytes() {
    byte[] bytes = new byte[(int) RECORD];
    Arrays.fill(bytes, (byte) 7);
    byte[] received = new byte[bytes.length];
    return timed(n -> {
      for (long i = 0; i < n; i++) {
        if (rank == 0) {
          world.send(bytes, peer, TAG);
          world.recv(received, peer, TAG);
        } else {
          world.recv(received, peer, TAG);
          world.send(bytes, peer, TAG);
        }
      }
    }, () -> Arrays.fill(received, (byte) 0), () -> Arrays.equals(bytes, received));
  }

  private Prepared bareDoubles() {
    double[] values = field().values();
    double[] received = new double[values.length];
    return timed(n -> {
      for (long i = 0; i < n; i++) {
        if (rank == 0) {
          world.send(values, peer, TAG);
          world.recv(received, peer, TAG);
        } else {
          world.recv(received, peer, TAG);
          world.send(values, peer, TAG);
        }
      }
    }, () -> Arrays.fill(received, -1), () -> Arrays.equals(values, received));
  }

  private <T> Prepared objects(T value, Codec<T> codec) {
    List<T> last = new ArrayList<>(Collections.singletonList(null));
    return timed(n -> {
      T received = null;
      for (long i = 0; i < n; i++) {
        if (rank == 0) {
          world.sendObject(value, peer, TAG, codec);
          received = world.recvObject(peer, TAG, codec);
        } else {
          received = world.recvObject(peer, TAG, codec);
          world.sendObject(value, peer, TAG, codec);
        }
      }
      last.set(0, received);
    }, () -> last.set(0, null), () -> value instanceof Field f
        ? last.getFirst() instanceof Field got && Arrays.equals(f.values, got.values)
        : value.equals(last.getFirst()));
  }

  private Prepared timed(Loop loop, Runnable wipe, BooleanSupplier isRight) {
    return Prepared.micros(loop, 2, () -> {
      wipe.run();
      world.barrier();
      loop.run(1);
      if (!isRight.getAsBoolean()) {
        throw new IllegalStateException("rank " + rank + " received something else");
      }
    });
  }
}
