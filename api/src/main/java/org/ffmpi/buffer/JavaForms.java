// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.invoke.MethodType;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/** The datatypes of records and of the boxes of primitive types, for calls that name a class instead. */
public final class JavaForms {
  /** The committed type of a record class, which lives as long as the class. */
  private static final ClassValue<Datatype<?>> RECORDS = new ClassValue<>() {
    @Override
    protected Datatype<?> computeValue(Class<?> form) {
      return Datatype.ofRecord(form.asSubclass(Record.class)).commit();
    }
  };

  private JavaForms() {}

  /**
   * Returns the type of a class.
   *
   * @throws MpiException ERR_TYPE when the class is null or another
   */
  @SuppressWarnings("unchecked") // the types of arrays have the boxes of their components
  public static <T> Datatype<T> typeOf(Class<T> form) {
    if (form != null && form.isRecord()) {
      Datatype<?> type = RECORDS.get(form);
      if (type.isClosed()) { // a program has freed it
        RECORDS.remove(form);
        type = RECORDS.get(form);
      }
      return (Datatype<T>) type;
    }
    Class<?> primitive = form == null ? Object.class : MethodType.methodType(form).unwrap().returnType();
    if (!primitive.isPrimitive() || primitive == void.class || form.isPrimitive()) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "form", form, "record classes and boxes of primitive types");
    }
    return (Datatype<T>) Datatype.ofArray(primitive.arrayType());
  }

  /**
   * Returns the type of an array's elements.
   *
   * @throws MpiException ERR_BUFFER with the correct form, when the elements are neither records nor boxes
   */
  @SuppressWarnings("unchecked") // the component of T[] is a T
  public static <T> Datatype<T> typeOf(T[] elements) {
    if (elements == null) {
      throw BufImpl.noArray();
    }
    Class<?> element = elements.getClass().getComponentType();
    if (element.isRecord() || isBox(element)) {
      return typeOf((Class<T>) element);
    }
    throw MpiException.argument(
        ErrorClass.ERR_BUFFER, "array", elements.getClass().getSimpleName(), instead(element));
  }

  private static boolean isBox(Class<?> element) {
    return MethodType.methodType(element).unwrap().returnType().isPrimitive() && element != Void.class;
  }

  private static String instead(Class<?> element) {
    if (element.isArray()) {
      String row = element.getSimpleName();
      Class<?> number = element;
      while (number.isArray()) {
        number = number.getComponentType();
      }
      return "arrays in one piece, and each " + row + " in this one is an object of its own. Keep the matrix in one "
          + number.getSimpleName() + "[] with element (i, j) at i * columns + j, of which Buf.of(matrix, i * columns,"
          + " columns) is row i and a Datatype.vector a column; or pass the rows one by one, Buf.of(rows[i])";
    }
    if (CharSequence.class.isAssignableFrom(element)) {
      return "arrays of primitive types, of records or of boxes. Text is sent as bytes: " + OF_TEXT;
    }
    return "arrays of primitive types, of records or of boxes. A record with the components that a message needs can"
        + " stand for a " + element.getSimpleName();
  }

  private static final String OF_TEXT =
      "Buf.of(text.getBytes(StandardCharsets.UTF_8)), received into a byte[] as long as a probe's status says";

  /** Returns the error of text as a buffer. */
  public static MpiException text() {
    return new MpiException(ErrorClass.ERR_BUFFER, "text: is no memory that a message could be. Send " + OF_TEXT);
  }

  /** Returns the error of a list that comes without a type. */
  public static MpiException untypedList() {
    return new MpiException(
        ErrorClass.ERR_BUFFER, "elements: a list does not know the type of its elements. Name it: Buf.of(list,"
            + " Particle.class), Buf.of(list, Double.class) or Buf.of(list, datatype)");
  }
}
