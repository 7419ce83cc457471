// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/**
 * The wait and test families of {@link Request} over arrays, as C has them: for code that keeps its requests in arrays.
 * A request that has been completed becomes null in its array.
 *
 * <p>They are not in {@link Request}, beside the forms with lists, where a call with a null would mean neither.
 */
public final class RequestArrays {
  private RequestArrays() {}

  private static List<? extends Request> list(Request[] requests) {
    return requests == null ? null : Arrays.asList(requests);
  }

  /**
   * Blocks until all operations are complete ({@code MPI_Waitall}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @throws MpiException as {@link Request#waitAll(List)}
   */
  @Standard({"MPI_Waitall"})
  public static void waitAll(Request[] requests) {
    Request.waitAll(list(requests));
  }

  /**
   * Blocks until all operations are complete, and returns their statuses ({@code MPI_Waitall}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled as by {@link Request#waitAll(List, Status[])}
   * @throws MpiException as {@link Request#waitAll(List, Status[])}
   */
  @Standard({"MPI_Waitall"})
  public static void waitAll(Request[] requests, Status[] into) {
    Request.waitAll(list(requests), into);
  }

  /**
   * Makes some progress and completes all requests if all operations have ended ({@code MPI_Testall}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return true when all were complete
   * @throws MpiException as {@link Request#testAll(List)}
   */
  @Standard({"MPI_Testall"})
  public static boolean testAll(Request[] requests) {
    return Request.testAll(list(requests));
  }

  /**
   * Makes some progress and completes all requests if all operations have ended, and returns their statuses ({@code
   * MPI_Testall}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled as by {@link Request#testAll(List, Status[])}
   * @return true when all were complete
   * @throws MpiException as {@link Request#testAll(List, Status[])}
   */
  @Standard({"MPI_Testall"})
  public static boolean testAll(Request[] requests, Status[] into) {
    return Request.testAll(list(requests), into);
  }

  /**
   * Blocks until one of the operations is complete and completes its request ({@code MPI_Waitany}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active
   * @throws MpiException as {@link Request#waitAny(List)}
   */
  @Standard({"MPI_Waitany"})
  public static int waitAny(Request[] requests) {
    return Request.waitAny(list(requests));
  }

  /**
   * Blocks until one of the operations is complete and completes its request, and returns its status ({@code
   * MPI_Waitany}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled as by {@link Request#waitAny(List, Status)}
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active
   * @throws MpiException as {@link Request#waitAny(List, Status)}
   */
  @Standard({"MPI_Waitany"})
  public static int waitAny(Request[] requests, Status into) {
    return Request.waitAny(list(requests), into);
  }

  /**
   * Completes one request whose operation has ended, if there is one ({@code MPI_Testany}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return as {@link Request#testAny(List)}
   * @throws MpiException as {@link Request#testAny(List)}
   */
  @Standard({"MPI_Testany"})
  public static OptionalInt testAny(Request[] requests) {
    return Request.testAny(list(requests));
  }

  /**
   * Completes one request whose operation has ended, if there is one, and returns its status ({@code MPI_Testany},
   * MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled as by {@link Request#testAny(List, Status)}
   * @return as {@link Request#testAny(List)}
   * @throws MpiException as {@link Request#testAny(List, Status)}
   */
  @Standard({"MPI_Testany"})
  public static OptionalInt testAny(Request[] requests, Status into) {
    return Request.testAny(list(requests), into);
  }

  /**
   * Blocks until at least one operation is complete and completes all requests that are ({@code MPI_Waitsome}, MPI-4.1
   * §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return as {@link Request#waitSome(List)}
   * @throws MpiException as {@link Request#waitSome(List)}
   */
  @Standard({"MPI_Waitsome"})
  public static int[] waitSome(Request[] requests) {
    return Request.waitSome(list(requests));
  }

  /**
   * Blocks until at least one operation is complete and completes all requests that are, and returns their statuses
   * ({@code MPI_Waitsome}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled as by {@link Request#waitSome(List, Status[])}
   * @return as {@link Request#waitSome(List)}
   * @throws MpiException as {@link Request#waitSome(List, Status[])}
   */
  @Standard({"MPI_Waitsome"})
  public static int[] waitSome(Request[] requests, Status[] into) {
    return Request.waitSome(list(requests), into);
  }

  /**
   * Completes all requests whose operations have ended ({@code MPI_Testsome}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return as {@link Request#testSome(List)}
   * @throws MpiException as {@link Request#testSome(List)}
   */
  @Standard({"MPI_Testsome"})
  public static int[] testSome(Request[] requests) {
    return Request.testSome(list(requests));
  }

  /**
   * Completes all requests whose operations have ended, and returns their statuses ({@code MPI_Testsome}, MPI-4.1
   * §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled as by {@link Request#testSome(List, Status[])}
   * @return as {@link Request#testSome(List)}
   * @throws MpiException as {@link Request#testSome(List, Status[])}
   */
  @Standard({"MPI_Testsome"})
  public static int[] testSome(Request[] requests, Status[] into) {
    return Request.testSome(list(requests), into);
  }
}
