// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.function.BinaryOperator;
import org.ffmpi.base.MpiException;
import org.ffmpi.port.ObjectOperations;

/**
 * The calls of {@link Comm} that send and receive objects: records, strings, arrays, collections, whatever is
 * {@link java.io.Serializable}, or what a {@link Codec} of the program writes. The standard has no such calls.
 *
 * {@snippet :
 * record Task(int number, double[] data) implements Serializable {}
 *
 * if (world.rank() == 0) {
 *   world.sendObject(new Task(7, data), 1, 0);
 * } else {
 *   Task task = world.recvObject(0, 0);
 * }
 * }
 *
 * <p>The receiver gets a copy, and need not know how long it is. Objects are messages like others: they do not overtake
 * other messages of their sender, probes find them, and receives with wildcards match them. An object is received by a
 * call for objects only; these refuse other messages with ERR_TRUNCATE or ERR_OTHER. All ranks use the same codec.
 * {@link Status#bytes} is the length of all that has been received, after a probe that of the first message.
 *
 * <p>Arrays of primitives of 2 KiB and more travel straight from the object into the copy. They, and they only, must
 * not be changed while a request of theirs is active.
 *
 * <p>What a value cannot be written or read for is an {@link MpiException} of class ERR_CONVERSION that names the class
 * or the cause. When it cannot be written nothing has been sent. When it cannot be read the message has been received.
 * {@link Codec#objects} describes which classes are read. A collective call ends alike at all ranks: when one of them
 * cannot write or read a value, or its function throws, that rank throws its own error, and the others throw the same
 * with its rank in front. So a collective call blocks until all ranks have called it.
 *
 * <p>Between two groups the collective calls do what those of {@link CollectiveCalls} do: the root says {@code ROOT},
 * the other ranks of its group {@code PROC_NULL}. Functions that combine values must not change them.
 */
public sealed interface ObjectCalls permits Comm, ObjectOperations {
  // ---- messages

  /**
   * Sends an object and blocks until it may be changed again.
   *
   * @param <T> type of the value
   * @param value what to send, perhaps null
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @throws MpiException ERR_CONVERSION when the value cannot be written, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  default <T> void sendObject(T value, int dest, int tag) {
    sendObject(value, dest, tag, Codec.objects());
  }

  /**
   * Does what {@link #sendObject(Object, int, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what to send, perhaps null
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @param codec writes the value
   * @throws MpiException ERR_CONVERSION when the value cannot be written, ERR_RANK, ERR_TAG, ERR_OTHER after finalize;
   *     ERR_ARG when the codec is null
   */
  <T> void sendObject(T value, int dest, int tag, Codec<? super T> codec);

  /**
   * Sends an object and blocks until the receiver has matched it.
   *
   * @param <T> type of the value
   * @param value what to send, perhaps null
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @throws MpiException ERR_CONVERSION when the value cannot be written, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  default <T> void ssendObject(T value, int dest, int tag) {
    ssendObject(value, dest, tag, Codec.objects());
  }

  /**
   * Does what {@link #ssendObject(Object, int, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what to send, perhaps null
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @param codec writes the value
   * @throws MpiException ERR_CONVERSION when the value cannot be written, ERR_RANK, ERR_TAG, ERR_OTHER after finalize;
   *     ERR_ARG when the codec is null
   */
  <T> void ssendObject(T value, int dest, int tag, Codec<? super T> codec);

  /**
   * Starts to send an object and returns at once. The object has been written when the call returns, but for long
   * arrays of primitives.
   *
   * @param <T> type of the value
   * @param value what to send, perhaps null
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @return the request
   * @throws MpiException ERR_CONVERSION when the value cannot be written, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  default <T> Request isendObject(T value, int dest, int tag) {
    return isendObject(value, dest, tag, Codec.objects());
  }

  /**
   * Does what {@link #isendObject(Object, int, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what to send, perhaps null
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @param codec writes the value
   * @return the request
   * @throws MpiException ERR_CONVERSION when the value cannot be written, ERR_RANK, ERR_TAG, ERR_OTHER after finalize;
   *     ERR_ARG when the codec is null
   */
  <T> Request isendObject(T value, int dest, int tag, Codec<? super T> codec);

  /**
   * Receives an object and blocks until it is there.
   *
   * @param <T> type of the value
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, which has sent null
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return a new object, as {@code T} without a check
   * @throws MpiException ERR_CONVERSION when the value cannot be read, ERR_TRUNCATE or ERR_OTHER when the message is no
   *     object, ERR_RANK, ERR_TAG
   */
  default <T> T recvObject(int source, int tag) {
    return recvObject(source, tag, Codec.objects());
  }

  /**
   * Does what {@link #recvObject(int, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, which has sent null
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param codec reads the value
   * @return a new object, as {@code T} without a check
   * @throws MpiException ERR_CONVERSION when the value cannot be read, ERR_TRUNCATE or ERR_OTHER when the message is no
   *     object, ERR_RANK, ERR_TAG; ERR_ARG when the codec is null
   */
  <T> T recvObject(int source, int tag, Codec<T> codec);

  /**
   * Receives an object, blocks until it is there, and describes its message.
   *
   * @param <T> type of the value
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, which has sent null
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and bytes
   * @return a new object, as {@code T} without a check
   * @throws MpiException ERR_CONVERSION when the value cannot be read, ERR_TRUNCATE or ERR_OTHER when the message is no
   *     object, ERR_RANK, ERR_TAG; ERR_ARG when {@code into} is null
   */
  default <T> T recvObject(int source, int tag, Status into) {
    return recvObject(source, tag, into, Codec.objects());
  }

  /**
   * Does what {@link #recvObject(int, int, Status)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, which has sent null
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and bytes
   * @param codec reads the value
   * @return a new object, as {@code T} without a check
   * @throws MpiException ERR_CONVERSION when the value cannot be read, ERR_TRUNCATE or ERR_OTHER when the message is no
   *     object, ERR_RANK, ERR_TAG; ERR_ARG when {@code into} is null; ERR_ARG when the codec is null
   */
  <T> T recvObject(int source, int tag, Status into, Codec<T> codec);

  /**
   * Starts to receive an object and returns at once. Its length need not be known.
   *
   * @param <T> type of the value
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, which has sent null
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return a request that has the object once it is complete
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  default <T> ValueRequest<T> irecvObject(int source, int tag) {
    return irecvObject(source, tag, Codec.objects());
  }

  /**
   * Does what {@link #irecvObject(int, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, which has sent null
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param codec reads the value
   * @return a request that has the object once it is complete
   * @throws MpiException ERR_RANK, ERR_TAG, ERR_OTHER after finalize; ERR_ARG when the codec is null
   */
  <T> ValueRequest<T> irecvObject(int source, int tag, Codec<T> codec);

  // ---- collective calls

  /**
   * Gives the root's object to all ranks. Collective; blocks until all ranks have called it.
   *
   * @param <T> type of the value
   * @param value looked at by the root only
   * @param root rank that has the value; the same at all ranks
   * @return at the root its own object, elsewhere a new one; null at a rank that says {@code PROC_NULL}
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize
   */
  default <T> T bcastObject(T value, int root) {
    return bcastObject(value, root, Codec.objects());
  }

  /**
   * Does what {@link #bcastObject(Object, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value looked at by the root only
   * @param root rank that has the value; the same at all ranks
   * @param codec writes and reads the value
   * @return at the root its own object, elsewhere a new one; null at a rank that says {@code PROC_NULL}
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize;
   *     ERR_ARG when the codec is null
   */
  <T> T bcastObject(T value, int root, Codec<T> codec);

  /**
   * Collects an object of each rank at the root. Collective; blocks until all ranks have called it.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param root rank that gets the values; the same at all ranks
   * @return at the root the objects by rank, its own one itself; elsewhere an empty list
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize
   */
  default <T> List<T> gatherObjects(T value, int root) {
    return gatherObjects(value, root, Codec.objects());
  }

  /**
   * Does what {@link #gatherObjects(Object, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param root rank that gets the values; the same at all ranks
   * @param codec writes and reads values
   * @return at the root the objects by rank, its own one itself; elsewhere an empty list
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize;
   *     ERR_ARG when the codec is null
   */
  <T> List<T> gatherObjects(T value, int root, Codec<T> codec);

  /**
   * Gives each rank an object of the root's. Collective; blocks until all ranks have called it.
   *
   * @param <T> type of the value
   * @param values one for each rank; looked at by the root only
   * @param root rank that has the values; the same at all ranks
   * @return at the root its own object, elsewhere a new one; null at a rank that has none
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize,
   *     ERR_COUNT when there is not one value for each rank: all ranks throw it
   */
  default <T> T scatterObjects(List<? extends T> values, int root) {
    return scatterObjects(values, root, Codec.objects());
  }

  /**
   * Does what {@link #scatterObjects(List, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param values one for each rank; looked at by the root only
   * @param root rank that has the values; the same at all ranks
   * @param codec writes and reads values
   * @return at the root its own object, elsewhere a new one; null at a rank that has none
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize,
   *     ERR_COUNT when there is not one value for each rank: all ranks throw it; ERR_ARG when the codec is null
   */
  <T> T scatterObjects(List<? extends T> values, int root, Codec<T> codec);

  /**
   * Gives an object of each rank to all ranks. Collective; blocks until all ranks have called it.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @return the objects by rank, this rank's own one itself; between two groups those of the other group
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize
   */
  default <T> List<T> allgatherObjects(T value) {
    return allgatherObjects(value, Codec.objects());
  }

  /**
   * Does what {@link #allgatherObjects(Object)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param codec writes and reads values
   * @return the objects by rank, this rank's own one itself; between two groups those of the other group
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize; ERR_ARG when
   *     the codec is null
   */
  <T> List<T> allgatherObjects(T value, Codec<T> codec);

  /**
   * Gives each rank an object of each rank. Collective; blocks until all ranks have called it.
   *
   * @param <T> type of the value
   * @param values one for each rank
   * @return the objects that the ranks had for this one, by rank; its own one itself
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_COUNT
   *     when there is not one value for each rank: all ranks throw it
   */
  default <T> List<T> alltoallObjects(List<? extends T> values) {
    return alltoallObjects(values, Codec.objects());
  }

  /**
   * Does what {@link #alltoallObjects(List)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param values one for each rank
   * @param codec writes and reads values
   * @return the objects that the ranks had for this one, by rank; its own one itself
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_COUNT
   *     when there is not one value for each rank: all ranks throw it; ERR_ARG when the codec is null
   */
  <T> List<T> alltoallObjects(List<? extends T> values, Codec<T> codec);

  /**
   * Combines the objects of all ranks, in the order of ranks, at the root. Collective.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @param root rank that gets the result; the same at all ranks
   * @return at the root the result, elsewhere null
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize,
   *     ERR_OP when the function is null; what the function throws, as ERR_OTHER
   */
  default <T> T reduceObject(T value, BinaryOperator<T> op, int root) {
    return reduceObject(value, op, root, Codec.objects());
  }

  /**
   * Does what {@link #reduceObject(Object, BinaryOperator, int)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @param root rank that gets the result; the same at all ranks
   * @param codec writes and reads values
   * @return at the root the result, elsewhere null
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_ROOT, ERR_OTHER after finalize,
   *     ERR_OP when the function is null; what the function throws, as ERR_OTHER; ERR_ARG when the codec is null
   */
  <T> T reduceObject(T value, BinaryOperator<T> op, int root, Codec<T> codec);

  /**
   * Combines the objects of all ranks, in the order of ranks. Collective; blocks until all ranks have called it.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @return the result, equal at all ranks; between two groups that of the other group
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_OP when
   *     the function is null; what the function throws, as ERR_OTHER
   */
  default <T> T allreduceObject(T value, BinaryOperator<T> op) {
    return allreduceObject(value, op, Codec.objects());
  }

  /**
   * Does what {@link #allreduceObject(Object, BinaryOperator)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @param codec writes and reads values
   * @return the result, equal at all ranks; between two groups that of the other group
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_OP when
   *     the function is null; what the function throws, as ERR_OTHER; ERR_ARG when the codec is null
   */
  <T> T allreduceObject(T value, BinaryOperator<T> op, Codec<T> codec);

  /**
   * Combines the objects of the ranks up to this one, in the order of ranks. Collective; blocks until all
   * ranks have called it.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @return the result of ranks 0 to this one
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_COMM
   *     between two groups, ERR_OP when the function is null; what the function throws, as ERR_OTHER
   */
  default <T> T scanObject(T value, BinaryOperator<T> op) {
    return scanObject(value, op, Codec.objects());
  }

  /**
   * Does what {@link #scanObject(Object, BinaryOperator)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @param codec writes and reads values
   * @return the result of ranks 0 to this one
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_COMM
   *     between two groups, ERR_OP when the function is null; what the function throws, as ERR_OTHER; ERR_ARG when the
   *     codec is null
   */
  <T> T scanObject(T value, BinaryOperator<T> op, Codec<T> codec);

  /**
   * Combines the objects of the ranks before this one, in the order of ranks. Collective; blocks until all
   * ranks have called it.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @return the result of the ranks before this one; null at rank 0
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_COMM
   *     between two groups, ERR_OP when the function is null; what the function throws, as ERR_OTHER
   */
  default <T> T exscanObject(T value, BinaryOperator<T> op) {
    return exscanObject(value, op, Codec.objects());
  }

  /**
   * Does what {@link #exscanObject(Object, BinaryOperator)} does, with a codec of the program.
   *
   * @param <T> type of the value
   * @param value what this rank gives
   * @param op combines two values without changing them; associative, not necessarily commutative
   * @param codec writes and reads values
   * @return the result of the ranks before this one; null at rank 0
   * @throws MpiException ERR_CONVERSION when a value cannot be written or read, ERR_OTHER after finalize, ERR_COMM
   *     between two groups, ERR_OP when the function is null; what the function throws, as ERR_OTHER; ERR_ARG when the
   *     codec is null
   */
  <T> T exscanObject(T value, BinaryOperator<T> op, Codec<T> codec);
}
