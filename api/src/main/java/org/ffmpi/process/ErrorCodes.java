// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The error classes, codes and texts that one process has added to the predefined ones. Numbers are never reused, so
 * that a removed one never gets another meaning. Any thread may call, at any time; errors are only thrown.
 */
public final class ErrorCodes {
  private static final ErrorCodes OF_PROCESS = new ErrorCodes();

  /** The class of each code that was added; a class is its own. */
  private final TreeMap<Integer, Integer> classes = new TreeMap<>();

  private final Map<Integer, String> texts = new HashMap<>();
  private int next = ErrorClass.ERR_LASTCODE.code() + 1;

  /** Returns the codes of this process; a rank that is a thread has its own. */
  static ErrorCodes ofProcess() {
    return OF_PROCESS;
  }

  public synchronized int addClass() {
    classes.put(next, next);
    return next++;
  }

  public synchronized int addCode(int errorClass) {
    if (!isClass(errorClass)) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "errorclass", errorClass, "predefined error classes and those that have been added");
    }
    classes.put(next, errorClass);
    return next++;
  }

  private boolean isClass(int number) {
    ErrorClass predefined = ErrorClass.ofCode(number).orElse(null);
    return predefined == null
        ? isAdded(number, true)
        : predefined != ErrorClass.SUCCESS && predefined != ErrorClass.ERR_LASTCODE;
  }

  private boolean isAdded(int number, boolean asClass) {
    Integer of = classes.get(number);
    return of != null && (of == number) == asClass;
  }

  public synchronized void removeClass(int errorClass) {
    if (!isAdded(errorClass, true)) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "errorclass", errorClass, "error classes that have been added");
    }
    for (Map.Entry<Integer, Integer> code : classes.entrySet()) {
      if (code.getValue() == errorClass && code.getKey() != errorClass) {
        throw new MpiException(
            ErrorClass.ERR_ARG,
            "errorclass = " + errorClass + " still has the code " + code.getKey() + ": its codes have to go first");
      }
    }
    remove(errorClass);
  }

  public synchronized void removeCode(int errorCode) {
    if (!isAdded(errorCode, false)) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "errorcode", errorCode, "error codes that have been added");
    }
    remove(errorCode);
  }

  private void remove(int number) {
    classes.remove(number);
    texts.remove(number);
  }

  public synchronized void setText(int errorCode, String text) {
    checkAdded(errorCode);
    if (text == null || text.length() >= Constants.MAX_ERROR_STRING) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "string", text, "texts of less than " + Constants.MAX_ERROR_STRING + " characters");
    }
    texts.put(errorCode, text);
  }

  public synchronized void removeText(int errorCode) {
    checkAdded(errorCode);
    if (texts.remove(errorCode) == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "errorcode", errorCode, "codes that have been given a text");
    }
  }

  private void checkAdded(int number) {
    if (!classes.containsKey(number)) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "errorcode", number, "error classes and codes that have been added");
    }
  }

  /** Returns the text of any class or code; empty for one that has been added without. */
  public synchronized String text(int errorCode) {
    return classes.containsKey(errorCode) ? texts.getOrDefault(errorCode, "") : predefined(errorCode).text();
  }

  /** Returns the class of any class or code. */
  public synchronized int classOf(int errorCode) {
    Integer of = classes.get(errorCode);
    return of != null ? of : predefined(errorCode).code();
  }

  /** Returns the largest number in use. */
  public synchronized int lastUsed() {
    return classes.isEmpty() ? ErrorClass.ERR_LASTCODE.code() : classes.lastKey();
  }

  /** Creates the exception of a code. */
  public synchronized MpiException exception(int errorCode) {
    Integer of = classes.get(errorCode);
    if (of == null) {
      ErrorClass known = predefined(errorCode);
      if (known == ErrorClass.SUCCESS) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "errorcode", errorCode, "codes of errors");
      }
      return new MpiException(known, known.text());
    }
    String text = texts.getOrDefault(errorCode, "");
    return new MpiException(
        errorCode, of, text.isEmpty() ? "error code " + errorCode + " of error class " + of : text);
  }

  /** Finds a predefined class or code. */
  public static ErrorClass predefined(int errorCode) {
    return ErrorClass.ofCode(errorCode).orElseThrow(() -> MpiException.argument(
        ErrorClass.ERR_ARG, "errorcode", errorCode, "predefined error classes, and what has been added"));
  }
}
