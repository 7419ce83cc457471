// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A C struct, for programs that extend this class: the constructor adds the fields, in the order in which they lie in
 * memory, and keeps what {@code addInt} and the like return. A class that extends {@link Data} reads and writes them.
 *
 * <p>A field begins where the one before it ends, or where {@link #setOffset} has said. Nothing is added for alignment:
 * a program that describes a struct of C gives the offsets of C. The extent is that of the type, which ends at a
 * multiple of the alignment of its widest field.
 *
 * <p>This file is long because each of the seven primitive types has its methods.
 */
public abstract class Struct {
  private final List<Field> fields = new ArrayList<>();
  private int end;
  private Datatype type;
  private int extent;

  /** Creates a struct without fields. */
  public Struct() {}

  /** Some elements at an offset; of a struct, or of a type. */
  private record Field(int offset, int length, Datatype type) {}

  private void commit() {
    if (type != null) {
      return;
    }
    Datatype made = predefined();
    if (made == null) {
      int[] lengths = new int[fields.size()];
      int[] offsets = new int[fields.size()];
      Datatype[] types = new Datatype[fields.size()];
      for (int i = 0; i < types.length; i++) {
        lengths[i] = fields.get(i).length;
        offsets[i] = fields.get(i).offset;
        types[i] = fields.get(i).type;
      }
      made = Datatype.createStruct(lengths, offsets, types);
      made.commit();
    }
    extent = bytes(made);
    type = made;
  }

  /** Returns the predefined type of exactly these fields, or null when there is none. */
  Datatype predefined() {
    return null;
  }

  private static int bytes(Datatype type) {
    return type.getExtent() * type.kind().width();
  }

  /**
   * Returns the extent of the struct ({@code MPI_Type_get_extent}).
   *
   * @return bytes from one struct of an array to the next
   */
  public final int getExtent() {
    commit();
    return extent;
  }

  /**
   * Returns the type of the struct ({@code MPI_Type_create_struct}), committed. No field can be added afterwards.
   *
   * @return the type
   */
  public final Datatype getType() {
    commit();
    return type;
  }

  /**
   * Creates what {@code getData} returns.
   *
   * @return a new object of the class that extends {@link Data}
   */
  protected abstract Data newData();

  @SuppressWarnings("unchecked") // the program says which class newData returns
  private <T extends Data> T view(ByteBuffer buffer, int offset) {
    Data data = newData();
    data.buffer = buffer;
    data.offset = offset;
    return (T) data;
  }

  /**
   * Returns a view of the struct at the beginning of a buffer.
   *
   * @param <T> class of the view
   * @param buffer the memory
   * @return what {@link #newData} has made
   */
  public final <T extends Data> T getData(ByteBuffer buffer) {
    return getData(buffer, 0);
  }

  /**
   * Returns a view of one struct of an array of them.
   *
   * @param <T> class of the view
   * @param buffer the memory
   * @param index index of the struct
   * @return what {@link #newData} has made
   */
  public final <T extends Data> T getData(ByteBuffer buffer, int index) {
    commit();
    return view(buffer, index * extent);
  }

  /**
   * Returns a view of the struct at the beginning of an array.
   *
   * @param <T> class of the view
   * @param array the memory
   * @return what {@link #newData} has made
   */
  public final <T extends Data> T getData(byte[] array) {
    return getData(array, 0);
  }

  /**
   * Returns a view of one struct of an array of them.
   *
   * @param <T> class of the view
   * @param array the memory
   * @param index index of the struct
   * @return what {@link #newData} has made
   */
  public final <T extends Data> T getData(byte[] array, int index) {
    return getData(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), index);
  }

  private int add(Datatype fieldType, int width, int length) {
    checkOpen();
    int offset = end;
    end += width * length;
    fields.add(new Field(offset, length, fieldType));
    return offset;
  }

  private void checkOpen() {
    if (type != null) {
      throw new AssertionError("the type of the struct is in use: fields cannot be added any more");
    }
  }

  /**
   * Says where the next field begins.
   *
   * @param offset bytes from the beginning of the struct, not before the end of the fields so far
   * @return this
   */
  public final Struct setOffset(int offset) {
    checkOpen();
    if (offset < end) {
      throw new IllegalArgumentException(
          "offset = " + offset + "; allowed: " + end + " and above, where the fields so far end");
    }
    end = offset;
    return this;
  }

  /**
   * Adds a byte.
   *
   * @return its offset, by which the view finds it
   */
  public final int addByte() {
    return addByte(1);
  }

  /**
   * Adds an array of bytes.
   *
   * @param length number of bytes
   * @return its offset, by which the view finds it
   */
  public final int addByte(int length) {
    return add(MPI.BYTE, 1, length);
  }

  /**
   * Adds a char.
   *
   * @return its offset, by which the view finds it
   */
  public final int addChar() {
    return addChar(1);
  }

  /**
   * Adds an array of chars.
   *
   * @param length number of chars
   * @return its offset, by which the view finds it
   */
  public final int addChar(int length) {
    return add(MPI.CHAR, 2, length);
  }

  /**
   * Adds a short.
   *
   * @return its offset, by which the view finds it
   */
  public final int addShort() {
    return addShort(1);
  }

  /**
   * Adds an array of shorts.
   *
   * @param length number of shorts
   * @return its offset, by which the view finds it
   */
  public final int addShort(int length) {
    return add(MPI.SHORT, 2, length);
  }

  /**
   * Adds an int.
   *
   * @return its offset, by which the view finds it
   */
  public final int addInt() {
    return addInt(1);
  }

  /**
   * Adds an array of ints.
   *
   * @param length number of ints
   * @return its offset, by which the view finds it
   */
  public final int addInt(int length) {
    return add(MPI.INT, 4, length);
  }

  /**
   * Adds a long.
   *
   * @return its offset, by which the view finds it
   */
  public final int addLong() {
    return addLong(1);
  }

  /**
   * Adds an array of longs.
   *
   * @param length number of longs
   * @return its offset, by which the view finds it
   */
  public final int addLong(int length) {
    return add(MPI.LONG, 8, length);
  }

  /**
   * Adds a float.
   *
   * @return its offset, by which the view finds it
   */
  public final int addFloat() {
    return addFloat(1);
  }

  /**
   * Adds an array of floats.
   *
   * @param length number of floats
   * @return its offset, by which the view finds it
   */
  public final int addFloat(int length) {
    return add(MPI.FLOAT, 4, length);
  }

  /**
   * Adds a double.
   *
   * @return its offset, by which the view finds it
   */
  public final int addDouble() {
    return addDouble(1);
  }

  /**
   * Adds an array of doubles.
   *
   * @param length number of doubles
   * @return its offset, by which the view finds it
   */
  public final int addDouble(int length) {
    return add(MPI.DOUBLE, 8, length);
  }

  /**
   * Adds a struct.
   *
   * @param struct its fields, to which none can be added any more
   * @return its offset, by which the view finds it
   */
  public final int addStruct(Struct struct) {
    return addStruct(struct, 1);
  }

  /**
   * Adds an array of structs.
   *
   * @param struct the fields of each, to which none can be added any more
   * @param length number of structs
   * @return its offset, by which the view finds it
   */
  public final int addStruct(Struct struct, int length) {
    struct.commit();
    return add(struct.type, struct.extent, length);
  }

  /**
   * Adds an element of any type.
   *
   * @param type the type
   * @return its offset, by which the view finds it
   */
  public final int addData(Datatype type) {
    return addData(type, 1);
  }

  /**
   * Adds an array of elements of any type.
   *
   * @param type the type
   * @param length number of elements
   * @return its offset, by which the view finds it
   */
  public final int addData(Datatype type, int length) {
    return add(type, bytes(type), length);
  }

  /** Returns whether there is such an element; for assertions alone. */
  private boolean has(int offset, int index, Datatype expected) {
    for (Field field : fields) {
      if (field.offset == offset && field.type == expected) {
        return index >= 0 && index < field.length;
      }
    }
    return false;
  }

  /** A view of one struct in memory. With assertions on ({@code java -ea}), fields are only read as what they are. */
  public abstract class Data {
    private static final String MISMATCH = "the struct has no such field of this type";

    private ByteBuffer buffer;
    private int offset;

    /** Creates a view; the struct that has asked for it says of what memory. */
    public Data() {}

    /**
     * Returns the memory of the struct, for sends and receives.
     *
     * @return the buffer, from the struct's first byte
     */
    public final ByteBuffer getBuffer() {
      return from(offset);
    }

    private ByteBuffer from(int position) {
      return position == 0 ? buffer : MPI.slice(buffer, position);
    }

    /**
     * Returns a byte.
     *
     * @param field its offset
     * @return the value
     */
    protected final byte getByte(int field) {
      return getByte(field, 0);
    }

    /**
     * Returns a byte of an array.
     *
     * @param field offset of the array
     * @param index index of the byte in it
     * @return the value
     */
    protected final byte getByte(int field, int index) {
      assert has(field, index, MPI.BYTE) : MISMATCH;
      return buffer.get(offset + field + index);
    }

    /**
     * Sets a byte.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putByte(int field, byte v) {
      putByte(field, 0, v);
    }

    /**
     * Sets a byte of an array.
     *
     * @param field offset of the array
     * @param index index of the byte in it
     * @param v the value
     */
    protected final void putByte(int field, int index, byte v) {
      assert has(field, index, MPI.BYTE) : MISMATCH;
      buffer.put(offset + field + index, v);
    }

    /**
     * Returns a char.
     *
     * @param field its offset
     * @return the value
     */
    protected final char getChar(int field) {
      return getChar(field, 0);
    }

    /**
     * Returns a char of an array.
     *
     * @param field offset of the array
     * @param index index of the char in it
     * @return the value
     */
    protected final char getChar(int field, int index) {
      assert has(field, index, MPI.CHAR) : MISMATCH;
      return buffer.getChar(offset + field + index * 2);
    }

    /**
     * Sets a char.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putChar(int field, char v) {
      putChar(field, 0, v);
    }

    /**
     * Sets a char of an array.
     *
     * @param field offset of the array
     * @param index index of the char in it
     * @param v the value
     */
    protected final void putChar(int field, int index, char v) {
      assert has(field, index, MPI.CHAR) : MISMATCH;
      buffer.putChar(offset + field + index * 2, v);
    }

    /**
     * Returns a short.
     *
     * @param field its offset
     * @return the value
     */
    protected final short getShort(int field) {
      return getShort(field, 0);
    }

    /**
     * Returns a short of an array.
     *
     * @param field offset of the array
     * @param index index of the short in it
     * @return the value
     */
    protected final short getShort(int field, int index) {
      assert has(field, index, MPI.SHORT) : MISMATCH;
      return buffer.getShort(offset + field + index * 2);
    }

    /**
     * Sets a short.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putShort(int field, short v) {
      putShort(field, 0, v);
    }

    /**
     * Sets a short of an array.
     *
     * @param field offset of the array
     * @param index index of the short in it
     * @param v the value
     */
    protected final void putShort(int field, int index, short v) {
      assert has(field, index, MPI.SHORT) : MISMATCH;
      buffer.putShort(offset + field + index * 2, v);
    }

    /**
     * Returns an int.
     *
     * @param field its offset
     * @return the value
     */
    protected final int getInt(int field) {
      return getInt(field, 0);
    }

    /**
     * Returns an int of an array.
     *
     * @param field offset of the array
     * @param index index of the int in it
     * @return the value
     */
    protected final int getInt(int field, int index) {
      assert has(field, index, MPI.INT) : MISMATCH;
      return buffer.getInt(offset + field + index * 4);
    }

    /**
     * Sets an int.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putInt(int field, int v) {
      putInt(field, 0, v);
    }

    /**
     * Sets an int of an array.
     *
     * @param field offset of the array
     * @param index index of the int in it
     * @param v the value
     */
    protected final void putInt(int field, int index, int v) {
      assert has(field, index, MPI.INT) : MISMATCH;
      buffer.putInt(offset + field + index * 4, v);
    }

    /**
     * Returns a long.
     *
     * @param field its offset
     * @return the value
     */
    protected final long getLong(int field) {
      return getLong(field, 0);
    }

    /**
     * Returns a long of an array.
     *
     * @param field offset of the array
     * @param index index of the long in it
     * @return the value
     */
    protected final long getLong(int field, int index) {
      assert has(field, index, MPI.LONG) : MISMATCH;
      return buffer.getLong(offset + field + index * 8);
    }

    /**
     * Sets a long.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putLong(int field, long v) {
      putLong(field, 0, v);
    }

    /**
     * Sets a long of an array.
     *
     * @param field offset of the array
     * @param index index of the long in it
     * @param v the value
     */
    protected final void putLong(int field, int index, long v) {
      assert has(field, index, MPI.LONG) : MISMATCH;
      buffer.putLong(offset + field + index * 8, v);
    }

    /**
     * Returns a float.
     *
     * @param field its offset
     * @return the value
     */
    protected final float getFloat(int field) {
      return getFloat(field, 0);
    }

    /**
     * Returns a float of an array.
     *
     * @param field offset of the array
     * @param index index of the float in it
     * @return the value
     */
    protected final float getFloat(int field, int index) {
      assert has(field, index, MPI.FLOAT) : MISMATCH;
      return buffer.getFloat(offset + field + index * 4);
    }

    /**
     * Sets a float.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putFloat(int field, float v) {
      putFloat(field, 0, v);
    }

    /**
     * Sets a float of an array.
     *
     * @param field offset of the array
     * @param index index of the float in it
     * @param v the value
     */
    protected final void putFloat(int field, int index, float v) {
      assert has(field, index, MPI.FLOAT) : MISMATCH;
      buffer.putFloat(offset + field + index * 4, v);
    }

    /**
     * Returns a double.
     *
     * @param field its offset
     * @return the value
     */
    protected final double getDouble(int field) {
      return getDouble(field, 0);
    }

    /**
     * Returns a double of an array.
     *
     * @param field offset of the array
     * @param index index of the double in it
     * @return the value
     */
    protected final double getDouble(int field, int index) {
      assert has(field, index, MPI.DOUBLE) : MISMATCH;
      return buffer.getDouble(offset + field + index * 8);
    }

    /**
     * Sets a double.
     *
     * @param field its offset
     * @param v the value
     */
    protected final void putDouble(int field, double v) {
      putDouble(field, 0, v);
    }

    /**
     * Sets a double of an array.
     *
     * @param field offset of the array
     * @param index index of the double in it
     * @param v the value
     */
    protected final void putDouble(int field, int index, double v) {
      assert has(field, index, MPI.DOUBLE) : MISMATCH;
      buffer.putDouble(offset + field + index * 8, v);
    }

    /**
     * Returns a view of a struct inside this one.
     *
     * @param <S> class of the struct
     * @param <D> class of the view
     * @param struct the struct that was added
     * @param field its offset
     * @return the view
     */
    protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
      return getData(struct, field, 0);
    }

    /**
     * Returns a view of a struct of an array inside this one.
     *
     * @param <S> class of the struct
     * @param <D> class of the view
     * @param struct the struct that was added
     * @param field offset of the array
     * @param index index of the struct in it
     * @return the view
     */
    protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
      Struct inner = struct;
      assert has(field, index, inner.type) : MISMATCH;
      return inner.view(buffer, offset + field + index * inner.extent);
    }

    /**
     * Returns the memory of an element of any type, for sends and receives.
     *
     * @param type the type that was added
     * @param field its offset
     * @return the buffer, from the element's origin
     */
    protected final ByteBuffer getBuffer(Datatype type, int field) {
      assert has(field, 0, type) : MISMATCH;
      return from(offset + field);
    }

    /**
     * Returns the memory of an element of an array of any type, for sends and receives.
     *
     * @param type the type that was added
     * @param field offset of the array
     * @param index index of the element in it
     * @return the buffer, from the element's origin
     */
    protected final ByteBuffer getBuffer(Datatype type, int field, int index) {
      assert has(field, index, type) : MISMATCH;
      return from(offset + field + index * bytes(type));
    }
  }
}
