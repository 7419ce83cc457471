// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A C struct, for programs that extend this class. The constructor adds the fields in the order of memory and stores
 * the offsets that {@code addInt} and the like return. A class that extends {@link Data} reads and writes the fields.
 *
 * <p>A field begins where the one before it ends, or at the argument of {@link #setOffset}. Nothing is added for
 * alignment: a program that describes a struct of C sets the offsets of C. The extent is that of the type, which ends
 * at a multiple of the alignment of its widest field.
 */
public abstract class Struct {
  //text field  its offset
  //text length  number of elements
  //text v  the value
  //text return int  its offset, for the accessors of the view

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

  /** Returns the predefined type of exactly these fields, or null. */
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
   * Creates a view for {@code getData}.
   *
   * @return a new object of the class that extends {@link Data}
   */
  protected abstract Data newData();

  @SuppressWarnings("unchecked") // the program names the class that newData returns
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
   * @return the view, made by {@link #newData}
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
   * @return the view, made by {@link #newData}
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
   * @return the view, made by {@link #newData}
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
   * @return the view, made by {@link #newData}
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
   * Sets the offset of the next field.
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

  //for-each Type type kind width a
  //| Byte    byte    BYTE    1  a
  //| Char    char    CHAR    2  a
  //| Short   short   SHORT   2  a
  //| Int     int     INT     4  an
  //| Long    long    LONG    8  a
  //| Float   float   FLOAT   4  a
  //| Double  double  DOUBLE  8  a
  /** Adds @a@ @type@. */
  public final int add@Type@() {
    return add@Type@(1);
  }

  /**
   * Adds an array of @type@s.
   *
   * @param length number of @type@s
   */
  public final int add@Type@(int length) {
    return add(MPI.@kind@, @width@, length);
  }

  //end
  /**
   * Adds a struct.
   *
   * @param struct its fields, to which none can be added any more
   * @return its offset, for the accessors of the view
   */
  public final int addStruct(Struct struct) {
    return addStruct(struct, 1);
  }

  /**
   * Adds an array of structs.
   *
   * @param struct the fields of each, to which none can be added any more
   * @param length number of structs
   * @return its offset, for the accessors of the view
   */
  public final int addStruct(Struct struct, int length) {
    struct.commit();
    return add(struct.type, struct.extent, length);
  }

  /**
   * Adds an element of any type.
   *
   * @param type the type
   * @return its offset, for the accessors of the view
   */
  public final int addData(Datatype type) {
    return addData(type, 1);
  }

  /**
   * Adds an array of elements of any type.
   *
   * @param type the type
   * @param length number of elements
   * @return its offset, for the accessors of the view
   */
  public final int addData(Datatype type, int length) {
    return add(type, bytes(type), length);
  }

  /** Returns whether the struct has such an element; for assertions alone. */
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

    /** Creates a view; {@code getData} of the enclosing struct sets its memory. */
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

    //text return byte  the value
    //text return char  the value
    //text return short  the value
    //text return int  the value
    //text return long  the value
    //text return float  the value
    //text return double  the value
    //for-each Type type kind a accessor index
    //| Byte    byte    BYTE    a   -       index
    //| Char    char    CHAR    a   Char    index * 2
    //| Short   short   SHORT   a   Short   index * 2
    //| Int     int     INT     an  Int     index * 4
    //| Long    long    LONG    a   Long    index * 8
    //| Float   float   FLOAT   a   Float   index * 4
    //| Double  double  DOUBLE  a   Double  index * 8
    /** Returns @a@ @type@. */
    protected final @type@ get@Type@(int field) {
      return get@Type@(field, 0);
    }

    /**
     * Returns @a@ @type@ of an array.
     *
     * @param field offset of the array
     * @param index index of the @type@ in it
     */
    protected final @type@ get@Type@(int field, int index) {
      assert has(field, index, MPI.@kind@) : MISMATCH;
      return buffer.get@accessor@(offset + field + @index@);
    }

    /** Sets @a@ @type@. */
    protected final void put@Type@(int field, @type@ v) {
      put@Type@(field, 0, v);
    }

    /**
     * Sets @a@ @type@ of an array.
     *
     * @param field offset of the array
     * @param index index of the @type@ in it
     */
    protected final void put@Type@(int field, int index, @type@ v) {
      assert has(field, index, MPI.@kind@) : MISMATCH;
      buffer.put@accessor@(offset + field + @index@, v);
    }

    //end
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
