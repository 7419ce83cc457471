// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The default codec, with a form of its own for simple values ({@link PlainForm}) and Java's serialization for all
 * others. Long arrays of primitives travel beside the bytes, and reading has limits. Any thread.
 *
 * @param <T> any type: the bytes decide which one is read
 */
public final class JavaCodec<T> implements Codec<T> {
  private static final JavaCodec<?> INSTANCE = new JavaCodec<>();

  private JavaCodec() {}

  /** Returns the one codec. */
  @SuppressWarnings("unchecked") // it writes values of all types
  public static <T> Codec<T> instance() {
    return (Codec<T>) INSTANCE;
  }

  @Override
  public void write(T value, CodecOutput out) throws IOException {
    if (!(out instanceof ValueWriter to)) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "out", null, "what a codec is called with");
    }
    if (PlainWriter.write(value, to)) {
      return;
    }
    int at = to.end();
    to.writeInt(0); // the length: an object stream must not read beyond its own bytes
    try (Writer stream = new Writer(to)) {
      stream.writeObject(value);
    }
    ValueWriter.INT.set(to.bytes(), at, to.end() - at - Integer.BYTES);
  }

  @Override
  @SuppressWarnings("unchecked") // the program chooses the type that it receives
  public T read(CodecInput in) throws IOException, ClassNotFoundException {
    if (!(in instanceof ValueReader from)) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "in", null, "what a codec is called with");
    }
    if (from.peek() >= PlainForm.OUTERMOST) {
      return (T) new PlainReader(from).read();
    }
    ValueReader own = from.part(from.readInt());
    ReadLimits limits = new ReadLimits(from.policy(), own.remaining());
    T value;
    try (Reader stream = new Reader(own, own, limits)) {
      value = (T) stream.readObject();
    } catch (IOException | RuntimeException e) {
      if (limits.refused().isEmpty()) {
        throw e;
      }
      throw new InvalidObjectException(limits.refused(), e);
    }
    own.checkEnd();
    return value;
  }

  /** Writes objects, with stand-ins for long arrays. */
  private static final class Writer extends ObjectOutputStream {
    private final ValueWriter to;

    Writer(ValueWriter to) throws IOException {
      super((OutputStream) to);
      this.to = to;
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      Class<?> component = object.getClass().getComponentType();
      if (component != null && component.isPrimitive() && to.isBeside(PrimitiveArray.of(object))) {
        return new ArrayStandIn(to.addBeside(object));
      }
      return object;
    }
  }

  /** Reads objects of allowed classes. */
  private static final class Reader extends ObjectInputStream {
    private final ValueReader from;
    private final ReadLimits limits;
    private final ClassLoader loader;

    Reader(InputStream in, ValueReader from, ReadLimits limits) throws IOException {
      super(in);
      this.from = from;
      this.limits = limits;
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      this.loader = context == null ? ClassLoader.getSystemClassLoader() : context;
      setObjectInputFilter(limits);
      enableResolveObject(true);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
      String name = described.getName();
      if (name.equals(ArrayStandIn.class.getName())) {
        return ArrayStandIn.class;
      }
      Class<?> primitive = Class.forPrimitiveName(name);
      if (primitive != null) {
        return primitive;
      }
      Class<?> type = Class.forName(name, false, loader);
      if (!limits.allows(type)) {
        throw new InvalidClassException(name, "not allowed");
      }
      return type;
    }

    /** Refuses all proxies: their class does not show their behaviour. */
    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
      throw new InvalidClassException("a dynamic proxy of " + String.join(", ", interfaces) + " is not allowed");
    }

    @Override
    protected Object resolveObject(Object object) throws IOException {
      if (!(object instanceof ArrayStandIn standIn)) {
        return object;
      }
      Object array = from.beside(standIn.number());
      limits.expect(array);
      return array;
    }
  }
}
