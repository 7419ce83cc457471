// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The error of a call over a list of requests that has completed some which have failed. It says what the call would
 * have returned: which requests were completed, and which of them have failed.
 *
 * {@snippet :
 * try {
 *   Request.waitSome(requests, statuses);
 * } catch (RequestException e) {
 *   int[] indices = e.completed();     // as the call would have returned them: outcount is indices.length
 *   for (int failed : e.failed()) {
 *     System.err.println("request " + failed + ": " + e.error(failed).getMessage());
 *   }
 * }
 * }
 *
 * <p>{@code waitAny} and {@code testAny} complete one request and throw with its error class. The others throw
 * ERR_IN_STATUS: each error is then among the suppressed ones, too, and the statuses hold its class.
 */
public final class RequestException extends MpiException {
  private static final long serialVersionUID = 1L;

  /** Indices in the list, ascending. */
  private final int[] completed;

  /** Indices in the list, ascending. */
  private final int[] failed;

  /**
   * Creates the error of the one request that a call has completed.
   *
   * @param error why it failed; becomes the cause
   * @param index where it stood in the list
   * @throws MpiException ERR_ARG when the error is null
   */
  public RequestException(MpiException error, int index) {
    super(given("error", error).errorCode(), error.errorClassCode(),
        error.getMessage() + " (request " + index + " of the list)");
    initCause(error);
    this.completed = new int[] {index};
    this.failed = completed;
  }

  /**
   * Creates the error of requests of which some have failed, of class ERR_IN_STATUS.
   *
   * @param errors why they failed, in the order of {@code failed}; become suppressed exceptions
   * @param failed where those that failed stood in the list, in ascending order
   * @param completed where those that are complete stand in the list, in ascending order
   * @param requests length of the list
   * @throws MpiException ERR_ARG when an array, the list or one of the errors is null, or there are not as many errors
   *     as failed requests
   */
  public RequestException(List<MpiException> errors, int[] failed, int[] completed, int requests) {
    super(ErrorClass.ERR_IN_STATUS, text(errors, failed, requests));
    errors.forEach(this::addSuppressed);
    this.completed = given("completed", completed).clone();
    this.failed = failed.clone();
  }

  private static <T> T given(String argument, T value) {
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, argument, null, "the facts of the call that has failed");
    }
    return value;
  }

  private static String text(List<MpiException> errors, int[] failed, int requests) {
    given("errors", errors);
    if (given("failed", failed).length != errors.size()) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "errors.size()", errors.size(), failed.length + ", one error for each failed request");
    }
    for (int i = 0; i < errors.size(); i++) {
      given("errors[" + i + "]", errors.get(i));
    }
    StringBuilder text = new StringBuilder();
    text.append(failed.length).append(" of ").append(requests).append(" requests failed");
    for (int i = 0; i < failed.length; i++) {
      text.append("; request ").append(failed[i]).append(": ").append(errors.get(i).getMessage());
    }
    return text.toString();
  }

  /**
   * Returns which requests are complete, with or without an error.
   *
   * @return indices in the list, in ascending order: as the call returns them when none has failed; of {@code waitAll}
   *     and {@code testAll}, those of the whole list
   */
  public int[] completed() {
    return completed.clone();
  }

  /**
   * Returns which of the completed requests have failed.
   *
   * @return indices in the list, in ascending order; one at least
   */
  public int[] failed() {
    return failed.clone();
  }

  /**
   * Returns why a request has failed.
   *
   * @param index one of {@link #failed}
   * @return its own error
   * @throws MpiException ERR_ARG for any other index
   */
  public MpiException error(int index) {
    for (int i = 0; i < failed.length; i++) {
      if (failed[i] == index) {
        return (MpiException) (getCause() != null ? getCause() : getSuppressed()[i]);
      }
    }
    throw MpiException.argument(ErrorClass.ERR_ARG, "index", index, "those of failed()");
  }
}
