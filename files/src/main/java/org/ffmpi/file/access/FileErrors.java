// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Texts;

/** The errors of the standard (MPI-4.1 §14.7) for those of the system. */
public final class FileErrors {
  /** The system's reasons, known by a word of each, since the JDK has no classes for them. */
  private enum Reason {
    NO_SPACE("no space left", ErrorClass.ERR_NO_SPACE),
    QUOTA("quota", ErrorClass.ERR_QUOTA),
    READ_ONLY("read-only", ErrorClass.ERR_READ_ONLY),
    FOLDER("is a directory", ErrorClass.ERR_BAD_FILE),
    NO_FOLDER("not a directory", ErrorClass.ERR_BAD_FILE),
    LONG("name too long", ErrorClass.ERR_BAD_FILE),
    LINKS("symbolic links", ErrorClass.ERR_BAD_FILE),
    BUSY("text file busy", ErrorClass.ERR_FILE_IN_USE),
    DENIED("permission denied", ErrorClass.ERR_ACCESS),
    FORBIDDEN("operation not permitted", ErrorClass.ERR_ACCESS);

    private final String word;
    private final ErrorClass errorClass;

    Reason(String word, ErrorClass errorClass) {
      this.word = word;
      this.errorClass = errorClass;
    }
  }

  /** A device with less room than this has none. */
  private static final long FULL = 4096;

  private FileErrors() {}

  /**
   * Returns the error of a step that the system has refused.
   *
   * @param what the step, as in "cannot read the file"
   */
  public static MpiException of(Path path, String what, IOException e) {
    ErrorClass errorClass = switch (e) {
      case NoSuchFileException gone -> ErrorClass.ERR_NO_SUCH_FILE;
      case FileAlreadyExistsException there -> ErrorClass.ERR_FILE_EXISTS;
      case AccessDeniedException denied -> ErrorClass.ERR_ACCESS;
      default -> ofReason(path, what, e);
    };
    return new MpiException(errorClass, "cannot " + what + " " + path + ": " + reason(e), e);
  }

  /** Returns the error of a path that its file system cannot use, such as one of an archive, or of a program's own. */
  public static MpiException of(Path path, String what, RuntimeException e) {
    return e instanceof MpiException known ? known : new MpiException(
        ErrorClass.ERR_BAD_FILE, "cannot " + what + " " + Texts.shown(path) + ": " + e, e);
  }

  /** Returns the error of a folder that is to be a file. */
  static MpiException folder(Path path) {
    return new MpiException(ErrorClass.ERR_BAD_FILE, "cannot open " + path + ": it is a folder");
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "it exists";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  private static ErrorClass ofReason(Path path, String what, IOException e) {
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    for (Reason reason : Reason.values()) {
      if (text.contains(reason.word)) {
        return reason.errorClass;
      }
    }
    // The reason may be in another language.
    return what.equals("write") && isFull(path) ? ErrorClass.ERR_NO_SPACE : ErrorClass.ERR_IO;
  }

  private static boolean isFull(Path path) {
    try {
      return Files.getFileStore(path).getUsableSpace() < FULL;
    } catch (IOException e) {
      return false;
    }
  }
}
