// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ffmpi.Request;
import org.ffmpi.RequestException;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The wait and test families over lists of requests, see {@link Request}. A null status or array means to ignore.
 *
 * <p>A request that has been completed becomes null in its list. Where the list cannot be changed, its entries are
 * inactive and stay so, and the list may be used again at any time.
 */
public final class RequestLists {
  private RequestLists() {}

  // ---- all

  public static void waitAll(List<? extends Request> requests, Status[] into) {
    World world = worldOf(requests);
    if (world != null) {
      for (int i = 0; i < requests.size(); i++) {
        RequestImpl r = entry(requests, i);
        if (isPending(r)) {
          await(r.engine(), r, requests, into);
        }
      }
    }
    completeAll(requests, into);
  }

  public static boolean testAll(List<? extends Request> requests, Status[] into) {
    if (!seesAll(requests)) {
      return false;
    }
    completeAll(requests, into);
    return true;
  }

  /** Returns whether all requests are complete, after some progress if they are not. */
  private static boolean seesAll(List<? extends Request> requests) {
    World world = worldOf(requests);
    Choices choices = choices(world);
    if (choices != null) {
      return choose(world, () -> choices.all(operations(requests), requests.size()));
    }
    if (world == null || allDone(requests)) {
      return true;
    }
    progress(world);
    return allDone(requests);
  }

  private static boolean allDone(List<? extends Request> requests) {
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      if (isPending(r)) {
        return false;
      }
    }
    return true;
  }

  private static void completeAll(List<? extends Request> requests, Status[] into) {
    FailedRequests failed = null;
    boolean isFixed = false; // finding that out costs an exception
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      boolean active = isActive(r);
      Status status = into == null ? null : entry(into, i);
      if (active) {
        r.end(status);
        isFixed = isFixed || !forget(requests, i);
        failed = FailedRequests.and(failed, r, i);
      } else if (status != null) {
        StatusAccess.setEmpty(status);
      }
    }
    if (failed != null) {
      throw failed.raise(IntStream.range(0, requests.size()).toArray(), requests.size(), into);
    }
  }

  // ---- any

  public static int waitAny(List<? extends Request> requests, Status into) {
    World world = worldOf(requests);
    if (world == null) {
      return none(into);
    }
    Choices choices = choices(world);
    if (choices != null) {
      return completeOne(requests, chosen(world, choices, requests, true), into);
    }
    int done = firstDone(requests);
    while (done < 0) {
      awaitAny(world, requests);
      done = firstDone(requests);
    }
    return completeOne(requests, done, into);
  }

  public static OptionalInt testAny(List<? extends Request> requests, Status into) {
    World world = worldOf(requests);
    if (world == null) {
      return OptionalInt.of(none(into));
    }
    int done = seenFirst(world, requests);
    return done < 0 ? OptionalInt.empty() : OptionalInt.of(completeOne(requests, done, into));
  }

  /** Returns the first complete request, after some progress if there is none; -1 for none. */
  private static int seenFirst(World world, List<? extends Request> requests) {
    Choices choices = choices(world);
    if (choices != null) {
      return chosen(world, choices, requests, false);
    }
    int done = firstDone(requests);
    if (done < 0) {
      progress(world);
      done = firstDone(requests);
    }
    return done;
  }

  private static int none(Status into) {
    if (into != null) {
      StatusAccess.setEmpty(into);
    }
    return Constants.UNDEFINED;
  }

  private static int firstDone(List<? extends Request> requests) {
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      if (isActive(r) && !isPending(r)) {
        return i;
      }
    }
    return -1;
  }

  private static int completeOne(List<? extends Request> requests, int index, Status into) {
    RequestImpl r = entry(requests, index);
    r.end(into);
    if (!forget(requests, index)) {
      markListed(requests);
    }
    if (r.error() != null) {
      throw r.raise(new RequestException(r.error(), index));
    }
    return index;
  }

  // ---- some

  public static int[] waitSome(List<? extends Request> requests, Status[] into) {
    World world = worldOf(requests);
    if (world == null) {
      return Request.NONE_ACTIVE;
    }
    Choices choices = choices(world);
    if (choices != null) {
      return completeSome(requests, someChosen(world, choices, requests, true), into);
    }
    while (firstDone(requests) < 0) {
      awaitAny(world, requests);
    }
    return completeSome(requests, null, into);
  }

  public static int[] testSome(List<? extends Request> requests, Status[] into) {
    World world = worldOf(requests);
    if (world == null) {
      return Request.NONE_ACTIVE;
    }
    Choices choices = choices(world);
    if (choices != null) {
      return completeSome(requests, someChosen(world, choices, requests, false), into);
    }
    progress(world);
    return completeSome(requests, null, into);
  }

  /** Returns the operations that a choice reports, null where it does not. */
  private static Operation[] someChosen(
      World world, Choices choices, List<? extends Request> requests, boolean wait) {
    Operation[] operations = operations(requests);
    choose(world, () -> {
      choices.some(operations, operations.length, wait);
      return operations;
    });
    return operations;
  }

  /** Completes the requests that are done; of these only the chosen ones, where a choice has been made. */
  private static int[] completeSome(List<? extends Request> requests, Operation[] chosen, Status[] into) {
    int[] indices = new int[requests.size()];
    int length = 0;
    FailedRequests failed = null;
    boolean isFixed = false;
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      if (!isActive(r) || chosen != null && chosen[i] == null || isPending(r)) {
        continue;
      }
      r.end(into == null ? null : entry(into, length));
      isFixed = isFixed || !forget(requests, i);
      failed = FailedRequests.and(failed, r, i);
      indices[length++] = i;
    }
    if (isFixed) {
      markListed(requests);
    }
    indices = Arrays.copyOf(indices, length);
    if (failed != null) {
      throw failed.raise(indices, requests.size(), into);
    }
    return indices;
  }

  // ---- looking

  public static boolean getStatusAll(List<? extends Request> requests, Status[] into) {
    if (!seesAll(requests)) {
      return false;
    }
    peekAll(requests, into);
    return true;
  }

  /** Fills in the state of all requests, and completes none. */
  private static void peekAll(List<? extends Request> requests, Status[] into) {
    for (int i = 0; into != null && i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      Status status = StatusAccess.setEmpty(entry(into, i));
      if (isPending(r)) {
        status.setError(ErrorClass.ERR_PENDING);
      } else if (isActive(r)) {
        r.peek(r.operation(), status);
      }
    }
  }

  public static OptionalInt getStatusAny(List<? extends Request> requests, Status into) {
    World world = worldOf(requests);
    if (world == null) {
      return OptionalInt.of(none(into));
    }
    int done = seenFirst(world, requests);
    if (done < 0) {
      return OptionalInt.empty();
    }
    if (into != null) {
      RequestImpl r = entry(requests, done);
      r.peekOne(r.operation(), into);
    }
    return OptionalInt.of(done);
  }

  public static int[] getStatusSome(List<? extends Request> requests, Status[] into) {
    World world = worldOf(requests);
    if (world == null) {
      return Request.NONE_ACTIVE;
    }
    Choices choices = choices(world);
    Operation[] chosen = choices == null ? null : someChosen(world, choices, requests, false);
    if (choices == null) {
      progress(world);
    }
    int[] indices = new int[requests.size()];
    int length = 0;
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      if (isActive(r) && (chosen == null || chosen[i] != null) && !isPending(r)) {
        if (into != null) {
          r.peek(r.operation(), entry(into, length));
        }
        indices[length++] = i;
      }
    }
    return Arrays.copyOf(indices, length);
  }

  // ---- waiting

  private static void await(Engine engine, RequestImpl r, List<? extends Request> requests, Status[] into) {
    try {
      engine.await(r.operation());
    } catch (RuntimeException e) {
      peekAll(requests, into);
      throw r.raise(Failures.translate(e));
    }
  }

  private static void awaitAny(World world, List<? extends Request> requests) {
    Operation[] operations = operations(requests);
    try {
      world.engine().awaitAny(operations, operations.length);
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  /** Returns the operations of a list, null where a request is not active. */
  private static Operation[] operations(List<? extends Request> requests) {
    Operation[] operations = new Operation[requests.size()];
    for (int i = 0; i < operations.length; i++) {
      RequestImpl r = entry(requests, i);
      operations[i] = isActive(r) ? r.operation() : null;
    }
    return operations;
  }

  /** Returns who chooses among complete requests; null where the first is taken. */
  private static Choices choices(World world) {
    return world == null ? null : world.engine().choices();
  }

  /** Returns the operation that a choice reports first, -1 for none. */
  private static int chosen(World world, Choices choices, List<? extends Request> requests, boolean wait) {
    return choose(world, () -> choices.any(operations(requests), requests.size(), wait));
  }

  private static <T> T choose(World world, Supplier<T> choice) {
    try {
      return choice.get();
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  private static void progress(World world) {
    try {
      world.engine().progress();
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }

  // ---- arguments

  static boolean isActive(RequestImpl r) {
    return r != null && r.operation() != null;
  }

  /** Returns whether a request's operation still runs; a composite one may need this thread for its last step. */
  static boolean isPending(RequestImpl r) {
    if (!isActive(r)) {
      return false;
    }
    Operation operation = r.operation();
    return !operation.isDone() && !(operation.advance() && operation.isDone());
  }

  /** Returns the world of the first active request, or null when there is none. Sessions may be mixed. */
  private static World worldOf(List<? extends Request> requests) {
    if (requests == null) {
      throw noList();
    }
    World world = null;
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      if (!isActive(r) || r.world() == world) {
        continue;
      }
      if (world == null) {
        world = r.world();
      } else if (r.world().engine() != world.engine()) {
        throw r.raise(new MpiException(
            ErrorClass.ERR_REQUEST, "requests: request " + i + " belongs to another rank than those before it"));
      }
    }
    if (world != null) {
      world.checkCommunication();
    }
    return world;
  }

  public static void checkStatuses(List<? extends Request> requests, Status[] into) {
    if (requests == null) {
      throw noList();
    }
    if (into == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "into", null, "an array; leave it out to ignore statuses");
    }
    if (into.length < requests.size()) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "length of into", into.length, requests.size() + " or more, the number of requests");
    }
  }

  public static void checkStatus(Status into) {
    if (into == null) {
      throw noStatus();
    }
  }

  static MpiException noStatus() {
    return MpiException.argument(ErrorClass.ERR_ARG, "into", null, "a Status; leave it out to ignore it");
  }

  public static MpiException noList() {
    return MpiException.argument(ErrorClass.ERR_REQUEST, "requests", null, "a list of requests");
  }

  private static RequestImpl entry(List<? extends Request> requests, int index) {
    Request request = requests.get(index);
    return request == null ? null : RequestImpl.of(request);
  }

  private static Status entry(Status[] into, int index) {
    if (into[index] == null) {
      into[index] = new Status();
    }
    return into[index];
  }

  /**
   * Puts null where a request has been completed for good; returns false when the list cannot be changed, or takes no
   * nulls.
   */
  private static boolean forget(List<? extends Request> requests, int index) {
    if (RequestImpl.of(requests.get(index)).isPersistent()) {
      return true;
    }
    try {
      requests.set(index, null);
      return true;
    } catch (UnsupportedOperationException | NullPointerException e) {
      return false;
    }
  }

  /** Marks that the entries of a list stay in it after their completion. */
  private static void markListed(List<? extends Request> requests) {
    for (int i = 0; i < requests.size(); i++) {
      RequestImpl r = entry(requests, i);
      if (r != null) {
        r.markListed();
      }
    }
  }

  /** The failed requests among those of a list that one call has completed. */
  private static final class FailedRequests {
    private final RequestImpl first;
    private final List<Integer> indices = new ArrayList<>();
    private final List<MpiException> errors = new ArrayList<>();

    private FailedRequests(RequestImpl first) {
      this.first = first;
    }

    /** Returns these and a request that has just been completed, if it has failed; null stands for none. */
    static FailedRequests and(FailedRequests before, RequestImpl completed, int index) {
      MpiException error = completed.error();
      if (error == null) {
        return before;
      }
      FailedRequests all = before == null ? new FailedRequests(completed) : before;
      all.indices.add(index);
      all.errors.add(error);
      return all;
    }

    /** Passes their error to the handler of the first and returns the exception to throw. */
    MpiException raise(int[] completed, int requests, Status[] into) {
      int[] failed = indices.stream().mapToInt(Integer::intValue).toArray();
      if (into != null) {
        setErrors(completed, into);
      }
      return first.raise(new RequestException(errors, failed, completed, requests));
    }

    /** Sets the error of each operation in the statuses, only before ERR_IN_STATUS (MPI-4.1 §3.2.5). */
    private void setErrors(int[] completed, Status[] into) {
      int next = 0; // both are in ascending order
      for (int i = 0; i < completed.length; i++) {
        boolean isFailed = next < indices.size() && indices.get(next) == completed[i];
        into[i].setError(isFailed ? errors.get(next++).errorClass() : ErrorClass.SUCCESS);
      }
    }
  }
}
