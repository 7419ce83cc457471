// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Random values of all kinds that Java's serialization supports, some with shared references. */
final class RandomValues {
  /** A record with references, an array and a number. */
  record Pair(Object left, Object right, double[] data, int number) implements Serializable {}

  /** A record of all that has a short form. */
  record Row(
      String name, int id, long big, double x, float y, short s, byte b, char c, boolean flag, TimeUnit unit,
      List<String> tags, String[] words, Integer box, Row next) implements Serializable {}

  /** An object that writes and reads a field itself. */
  static final class Custom implements Serializable {
    private static final long serialVersionUID = 1;
    private transient long[] hidden;
    final Serializable shown;

    Custom(long[] hidden, Serializable shown) {
      this.hidden = hidden;
      this.shown = shown;
    }

    private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
      out.defaultWriteObject();
      out.writeInt(7);
      out.writeObject(hidden);
    }

    private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException {
      in.defaultReadObject();
      in.readInt();
      hidden = (long[]) in.readObject();
    }
  }

  private final RandomGenerator random;
  private final List<Object> known = new ArrayList<>();

  RandomValues(RandomGenerator random) {
    this.random = random;
  }

  Object next(int depth) {
    Object value = random.nextInt(8) == 0 && !known.isEmpty()
        ? known.get(random.nextInt(known.size()))
        : depth == 0 || random.nextInt(3) == 0 ? leaf() : inner(depth - 1);
    if (!isBox(value)) {
      known.add(value);
    }
    return value;
  }

  /** Boxes are values: whether two places have the same one is nothing that a program may rely on. */
  private static boolean isBox(Object value) {
    return value instanceof Number && value.getClass().getPackageName().equals("java.lang")
        || value instanceof Character || value instanceof Boolean;
  }

  private int length() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> 4096 + random.nextInt(40_000);
      case 2 -> ValueWriter.SHORTEST_BESIDE - 4 + random.nextInt(8);
      default -> random.nextInt(40);
    };
  }

  private Object leaf() {
    return switch (random.nextInt(26)) {
      case 0 -> null;
      case 1 -> random.nextInt();
      case 2 -> random.nextLong();
      case 3 -> random.nextDouble();
      case 4 -> random.nextFloat();
      case 5 -> (char) random.nextInt();
      case 6 -> (short) random.nextInt();
      case 7 -> (byte) random.nextInt();
      case 8 -> random.nextBoolean();
      case 9 -> "text " + "ä€𝄞".repeat(length() / 8);
      case 10 -> random.ints(length()).toArray();
      case 11 -> random.longs(length()).toArray();
      case 12 -> random.doubles(length()).toArray();
      case 13 -> bytes();
      case 14 -> "many chars".repeat(length() / 10).toCharArray();
      case 15 -> new short[length()];
      case 16 -> new float[length()];
      case 17 -> new boolean[length()];
      case 18 -> new BigDecimal(new BigInteger(random.nextInt(900), new java.util.Random(random.nextLong())), 3);
      case 19 -> Instant.ofEpochSecond(random.nextInt());
      case 20 -> LocalDate.ofEpochDay(random.nextInt(1 << 16));
      case 21 -> Duration.ofNanos(random.nextLong());
      case 22 -> new UUID(random.nextLong(), random.nextLong());
      case 23 -> TimeUnit.values()[random.nextInt(7)];
      case 24 -> BitSet.valueOf(random.longs(length()).toArray());
      default -> random.nextBoolean() ? Locale.GERMANY : new GregorianCalendar(2026, 1, random.nextInt(28));
    };
  }

  private byte[] bytes() {
    byte[] bytes = new byte[length()];
    random.nextBytes(bytes);
    return bytes;
  }

  private Object inner(int depth) {
    int n = random.nextInt(5);
    List<Object> parts = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      parts.add(next(depth));
    }
    return switch (random.nextInt(19)) {
      case 14 -> List.copyOf(parts.stream().filter(p -> p != null).toList());
      case 15 -> parts.stream().toList();
      case 16 -> parts.stream().map(p -> p instanceof String ? p : null).toArray(String[]::new);
      case 17, 18 -> row(depth);
      case 0, 1 -> new Pair(next(depth), next(depth), random.doubles(length()).toArray(), random.nextInt());
      case 2 -> parts;
      case 3 -> parts.toArray();
      case 4 -> new ArrayDeque<>(parts.stream().filter(p -> p != null).toList());
      case 5 -> Collections.unmodifiableList(parts);
      case 6 -> Arrays.asList(parts.toArray());
      case 7 -> new Custom(random.longs(length()).toArray(), (Serializable) next(depth));
      case 8 -> new double[][] {random.doubles(length()).toArray(), null, random.doubles(3).toArray()};
      case 9 -> map(new LinkedHashMap<>(), parts);
      case 10 -> map(new TreeMap<>(Comparator.reverseOrder()), parts);
      case 11 -> map(new ConcurrentHashMap<>(), parts.stream().filter(p -> p != null).toList());
      case 12 -> new PriorityQueue<>(List.of(3, 1, 2));
      default -> new IllegalStateException("seen", new RuntimeException(new AtomicLong(n).toString()));
    };
  }

  private Row row(int depth) {
    List<String> tags = List.of("a", "\ud800 alone", "ÿ\u0100".repeat(random.nextInt(3)));
    return new Row(
        random.nextBoolean() ? null : "row " + random.nextInt(), random.nextInt(), random.nextLong(),
        random.nextDouble(), random.nextFloat(), (short) random.nextInt(), (byte) random.nextInt(),
        (char) random.nextInt(), random.nextBoolean(), TimeUnit.values()[random.nextInt(7)],
        random.nextBoolean() ? tags : new ArrayList<>(tags), new String[] {tags.getFirst(), null},
        random.nextInt(), depth == 0 || random.nextBoolean() ? null : row(depth - 1));
  }

  private Map<String, Object> map(Map<String, Object> map, List<Object> parts) {
    for (Object part : parts) {
      map.put("key " + random.nextInt(100), part);
    }
    return map;
  }
}
