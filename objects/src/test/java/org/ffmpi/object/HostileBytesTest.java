// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.ffmpi.Codec;
import org.ffmpi.Worlds;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

/** Bytes that no sender writes are refused with a reason, in bounded memory and time. */
class HostileBytesTest {
  private static final int MUTATIONS = 10_000;

  /** Most memory that the refusal of a message may allocate. */
  private static final long MEMORY = 4 << 20;

  private static volatile boolean ran;

  /** Runs code when it is read. */
  static final class Trap implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      ran = true;
    }
  }

  /** The handler of a proxy. */
  static final class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] args) {
      return null;
    }
  }

  /** An object that may be nested. */
  static final class Link implements Serializable {
    private static final long serialVersionUID = 1;
    Link next;
  }

  /** A record whose constructor throws. */
  record Checked(int n) implements Serializable {
    Checked {
      if (n < 0) {
        throw new IllegalStateException("n is negative");
      }
    }
  }

  private static byte[] stream(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] stream) {
    return Encoded.read(stream, ClassPolicy.DEFAULT);
  }

  private static MpiException assertRefused(byte[] stream, String... parts) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    MpiException error = Worlds.assertError(ErrorClass.ERR_CONVERSION, () -> read(stream), parts);
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(taken < MEMORY + 100L * stream.length, "took " + taken + " bytes for " + stream.length);
    return error;
  }

  // ---- mutations

  @Test
  void mutatedStreamsAreReadOrRefused() throws IOException {
    Long given = Long.getLong("ffmpi.test.seed");
    long seed = given == null ? ThreadLocalRandom.current().nextLong() : given;
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<byte[]> sound = new ArrayList<>();
    while (sound.size() < 40) {
      byte[] stream = stream(new RandomValues(random).next(3));
      if (stream.length < 4_000) {
        sound.add(stream);
      }
    }
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] stream = mutate(sound.get(random.nextInt(sound.size())).clone(), random);
      try {
        read(stream);
      } catch (MpiException e) {
        assertEquals(ErrorClass.ERR_CONVERSION, e.errorClass(), () -> "with -Dffmpi.test.seed=" + seed);
      } catch (Throwable e) {
        throw new AssertionError("with -Dffmpi.test.seed=" + seed, e);
      }
    }
  }

  private static byte[] mutate(byte[] stream, RandomGenerator random) {
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times; i++) {
      int at = random.nextInt(stream.length);
      switch (random.nextInt(4)) {
        case 0 -> stream[at] = (byte) random.nextInt();
        case 1 -> stream[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> stream[at] = (byte) (0x70 + random.nextInt(15));
        default -> {
          for (int b = at; b < Math.min(stream.length, at + 4); b++) {
            stream[b] = (byte) (random.nextBoolean() ? 0x7f : 0xff);
          }
        }
      }
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(stream, random.nextInt(stream.length)) : stream;
  }

  @Test
  void mutatedHeadsAreRefused() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    OutgoingObject out = Encoded.write(new double[][] {new double[300], new double[4]}, Codec.objects());
    byte[] head = Arrays.copyOf(out.bytes(), out.headBytes());
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutated = mutate(head.clone(), random);
      try {
        IncomingObject in = new IncomingObject(mutated, 0, mutated.length, OutgoingObject.HEAD, true);
        for (int part = 0; part < 4 && in.isPartial(); part++) {
          in.accept(2_400);
        }
        if (!in.isPartial()) {
          in.value(Codec.objects(), ClassPolicy.DEFAULT);
        }
      } catch (MpiException e) {
        assertNotNull(e.getMessage());
      }
    }
  }

  // ---- classes

  @Test
  void classesOfTheJdkThatAreNoValuesAreRefused() throws IOException {
    assertRefused(stream(URI.create("http://localhost")), "value", "java.net.URI", "ffmpi.objects.allow");
    assertRefused(stream(URI.create("http://localhost").toURL()), "java.net.URL");
    assertRefused(stream(new Object[] {1, List.of(new java.io.File("x"))}), "java.io.File");
    assertRefused(stream(new URI[0]), "java.net.URI");
    assertRefused(stream(new javax.management.BadAttributeValueExpException(null)), "javax.management.Bad");
    assertRefused(stream((Runnable & Serializable) () -> {}), "java.lang.invoke.SerializedLambda");
    assertRefused(stream(URI.class), "java.net.URI");
  }

  @Test
  void forgedNamesOfClassesAreRefused() throws IOException {
    byte[] trap = stream(new Trap());
    for (String name : List.of(
        "org.apache.commons.collections.functors.InvokerTransformer", "no.such.Type", "[Lno.such.Type;", "", "[",
        "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl", "sun.rmi.server.UnicastRef",
        "java.lang.ProcessBuilder", "javax.script.ScriptEngineManager", "jdk.internal.misc.Unsafe")) {
      ran = false;
      assertRefused(renamed(trap, Trap.class.getName(), name));
      assertFalse(ran, name);
    }
  }

  private static byte[] renamed(byte[] stream, String from, String to) throws IOException {
    String text = new String(stream, java.nio.charset.StandardCharsets.ISO_8859_1);
    int at = text.indexOf(from) - 2;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(stream, 0, at);
    new DataOutputStream(bytes).writeUTF(to);
    bytes.write(stream, at + 2 + from.length(), stream.length - at - 2 - from.length());
    return bytes.toByteArray();
  }

  @Test
  void dynamicProxiesAreRefused() throws IOException {
    Object proxy = Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {Runnable.class}, new Handler());
    assertRefused(stream(proxy), "dynamic proxy", "java.lang.Runnable");
  }

  @Test
  void theSettingAllowsMoreOrLess() throws IOException {
    byte[] uri = stream(URI.create("x:y"));
    assertEquals(URI.create("x:y"), Encoded.read(uri, ClassPolicy.of("java.net.URI")));
    assertEquals(URI.create("x:y"), Encoded.read(uri, ClassPolicy.of("java.net.*;maxdepth=3")));
    byte[] trap = stream(new Trap());
    assertNotNull(read(trap));
    Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.read(trap, ClassPolicy.of("!" + getClass().getName() + "$*")), Trap.class.getName());
    Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.read(stream(new int[11]), ClassPolicy.of("maxarray=10")), "11 elements, allowed are 10");
    Worlds.assertError(ErrorClass.ERR_ARG, () -> ClassPolicy.of("maxdepth=deep"),
        "ffmpi.objects.allow", "maxdepth=deep");
  }

  // ---- sizes

  @Test
  void deepNestingIsRefused() throws IOException {
    Link first = new Link();
    Link last = first;
    for (int i = 0; i < 1_500; i++) {
      last.next = new Link();
      last = last.next;
    }
    byte[][] stream = new byte[1][];
    runWithStack(() -> stream[0] = stream(first));
    runWithStack(() -> assertRefused(stream[0], "nested", "allowed are 1000"));
    runWithStack(() -> assertNotNull(Encoded.read(stream[0], ClassPolicy.of("maxdepth=2000"))));
    Thread shallow = new Thread(null, () -> assertNotNull(Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.read(deepBytes(200_000), ClassPolicy.of("maxdepth=1000000")), "nested too deeply")));
    shallow.start();
    join(shallow);
  }

  @Test
  void aThousandLevelsFitOnAnOrdinaryStack() throws IOException {
    byte[] stream = deepBytes(990);
    Throwable[] thrown = new Throwable[1];
    Thread ordinary = new Thread(() -> {
      try {
        assertNotNull(read(stream));
      } catch (Throwable e) {
        thrown[0] = e;
      }
    });
    ordinary.start();
    join(ordinary);
    assertEquals(null, thrown[0]);
  }

  /** Returns the bytes of nested arrays. */
  private static byte[] deepBytes(int levels) throws IOException {
    byte[] one = stream(new Object[] {null});
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(one, 0, one.length - 1);
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < levels; i++) {
      out.writeByte(ObjectStreamConstants.TC_ARRAY);
      out.writeByte(ObjectStreamConstants.TC_REFERENCE);
      out.writeInt(ObjectStreamConstants.baseWireHandle);
      out.writeInt(1);
    }
    out.writeByte(ObjectStreamConstants.TC_NULL);
    return bytes.toByteArray();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void runWithStack(Step step) {
    Throwable[] thrown = new Throwable[1];
    Thread thread = new Thread(null, () -> {
      try {
        step.run();
      } catch (Throwable e) {
        thrown[0] = e;
      }
    }, "deep", 64 << 20);
    thread.start();
    join(thread);
    if (thrown[0] != null) {
      throw new AssertionError(thrown[0]);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void lengthsThatTheMessageCannotHoldAreRefused() throws IOException {
    for (Object array : new Object[] {new int[1], new double[1], new byte[1], new Object[1], new String[1]}) {
      for (int length : new int[] {Integer.MAX_VALUE, 1 << 28, 1 << 20}) {
        assertRefused(withLength(stream(array), array, length), "an array of " + length + " elements");
      }
      assertRefused(withLength(stream(array), array, -1));
    }
  }

  /** Changes the length in the stream of an array with one element that is 0 or null. */
  private static byte[] withLength(byte[] stream, Object array, int length) {
    int element = array instanceof Object[] ? 1 : (int) PrimitiveArray.of(array).bytes();
    ValueWriter.INT.set(stream, stream.length - element - Integer.BYTES, length);
    return stream;
  }

  @Test
  void collectionsThatTheMessageCannotHoldAreRefused() throws IOException {
    List<Integer> list = new ArrayList<>(List.of(1));
    assertRefused(patched(stream(list), stream(new ArrayList<>(List.of(1, 2))), 1 << 28));
    Map<String, String> map = new HashMap<>(Map.of("k", "v"));
    assertRefused(patched(stream(map), stream(new HashMap<>(Map.of("k", "v", "l", "w"))), 1 << 28));
    Set<String> set = new HashSet<>(Set.of("k"));
    assertRefused(patched(stream(set), stream(new HashSet<>(Set.of("k", "l"))), 1 << 28));
  }

  /** Changes the number of elements in the first of two streams, where they have 1 and 2. */
  private static byte[] patched(byte[] one, byte[] two, int size) {
    boolean found = false;
    for (int at = 0; at + Integer.BYTES <= Math.min(one.length, two.length); at++) {
      if ((int) ValueWriter.INT.get(one, at) == 1 && (int) ValueWriter.INT.get(two, at) == 2) {
        ValueWriter.INT.set(one, at, size);
        found = true;
      }
    }
    assertTrue(found);
    return one;
  }

  @Test
  void collectionsThatAnnounceMoreThanTheyHaveWrittenAreRead() throws IOException {
    assertEquals(Collections.nCopies(1_800, 1), read(stream(Collections.nCopies(1_800, 1))));
    assertEquals(Collections.nCopies(250_000, "x"), read(stream(Collections.nCopies(250_000, "x"))));
    byte[] more = stream(Collections.nCopies(2_000_000, 1));
    assertRefused(more, "an array of 2000000 elements", "allowed are 262144 in all", "maxarray");
    assertEquals(Collections.nCopies(2_000_000, 1), Encoded.read(more, ClassPolicy.of("maxarray=2000000")));
    Worlds.assertError(ErrorClass.ERR_CONVERSION,
        () -> Encoded.read(more, ClassPolicy.of("maxarray=1999999")), "2000000 elements, allowed are 1999999");
  }

  @Test
  void manyArraysThatTheMessageCannotHoldTogetherAreRefused() throws IOException {
    // Each array is as long as the message could hold, and each is the first element of the one around it.
    byte[] stream = deepBytes(500);
    int length = stream.length / 2;
    for (int at = 0; at + Integer.BYTES <= stream.length; at++) {
      if ((int) ValueWriter.INT.get(stream, at) == 1) {
        ValueWriter.INT.set(stream, at, length);
        at += Integer.BYTES - 1;
      }
    }
    assertRefused(stream, "an array of " + length);
  }

  @Test
  void nestedSetsThatTakeForeverAreRefused() throws IOException {
    Set<Object> root = new HashSet<>();
    Set<Object> left = root;
    Set<Object> right = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      Set<Object> nextLeft = new HashSet<>();
      Set<Object> nextRight = new HashSet<>();
      nextLeft.add("foo");
      left.add(nextLeft);
      left.add(nextRight);
      right.add(nextLeft);
      right.add(nextRight);
      left = nextLeft;
      right = nextRight;
    }
    assertRefused(stream(root), "hash collections nested", "allowed are 16");
  }

  @Test
  void siblingsAreNotNested() throws IOException {
    List<Object> many = new ArrayList<>();
    Object nested = "leaf";
    for (int i = 0; i < 60; i++) {
      nested = new ArrayList<>(List.of(nested, new HashSet<>(Set.of(i)), new HashMap<>(Map.of(i, "v"))));
      many.add(nested);
    }
    assertEquals(many, read(stream(many)));
  }

  @Test
  void exceptionsOfConstructorsAreCauses() throws IOException {
    byte[] stream = stream(new Checked(1));
    ValueWriter.INT.set(stream, stream.length - Integer.BYTES, -1);
    assertRefused(stream, "n is negative");
  }
}
