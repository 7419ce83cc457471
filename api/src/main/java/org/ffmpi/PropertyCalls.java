// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.PredefinedAttribute;

/** The properties of a communicator at one rank: a name, an error handler, attributes and hints. */
public sealed interface PropertyCalls permits Comm {
  /** The largest tag that a message can have. An attribute of every communicator. */
  @Standard({"MPI_TAG_UB"})
  Keyval<Comm, Integer> TAG_UB = Keyval.readOnly("MPI_TAG_UB", new PredefinedAttribute<>("MPI_TAG_UB"));

  /** The host's rank: {@code PROC_NULL}, since there is none. An attribute of every communicator. */
  @Standard({"MPI_HOST"})
  Keyval<Comm, Integer> HOST = Keyval.readOnly("MPI_HOST", new PredefinedAttribute<>("MPI_HOST"));

  /** Which rank can do input and output: {@code ANY_SOURCE}, all. An attribute of every communicator. */
  @Standard({"MPI_IO"})
  Keyval<Comm, Integer> IO = Keyval.readOnly("MPI_IO", new PredefinedAttribute<>("MPI_IO"));

  /**
   * Whether {@link Mpi#wtime} is the same at all ranks: true, since the clock is the machine's. An attribute of every
   * communicator.
   */
  @Standard({"MPI_WTIME_IS_GLOBAL"})
  Keyval<Comm, Boolean> WTIME_IS_GLOBAL =
      Keyval.readOnly("MPI_WTIME_IS_GLOBAL", new PredefinedAttribute<>("MPI_WTIME_IS_GLOBAL"));

  /**
   * Number of this rank's program among those that were started together, from 0; no attribute where no launcher has
   * set it.
   */
  @Standard({"MPI_APPNUM"})
  Keyval<Comm, Integer> APPNUM = Keyval.readOnly("MPI_APPNUM", new PredefinedAttribute<>("MPI_APPNUM"));

  /**
   * How many processes there can be: as many as were started. An attribute of every communicator.
   */
  @Standard({"MPI_UNIVERSE_SIZE"})
  Keyval<Comm, Integer> UNIVERSE_SIZE =
      Keyval.readOnly("MPI_UNIVERSE_SIZE", new PredefinedAttribute<>("MPI_UNIVERSE_SIZE"));

  /** The largest error class or code in use, those included that this process has added. */
  @Standard({"MPI_LASTUSEDCODE"})
  Keyval<Comm, Integer> LASTUSEDCODE =
      Keyval.readOnly("MPI_LASTUSEDCODE", new PredefinedAttribute<>("MPI_LASTUSEDCODE"));

  // ---- name and error handler

  /**
   * Returns the name, for messages and tools ({@code MPI_Comm_get_name}, MPI-4.1 §7.8). Local.
   *
   * @return the name; to begin with {@code MPI_COMM_WORLD}, {@code MPI_COMM_SELF}, and empty for all others
   */
  @Standard({"MPI_Comm_get_name"})
  String name();

  /**
   * Names this communicator at this rank ({@code MPI_Comm_set_name}, MPI-4.1 §7.8). Local.
   *
   * @param name the name, of which the first {@code MAX_OBJECT_NAME} - 1 characters are kept
   * @throws MpiException ERR_ARG when the name is null
   */
  @Standard({"MPI_Comm_set_name"})
  void setName(String name);

  /**
   * Returns what happens when a call on this communicator fails ({@code MPI_Comm_get_errhandler}, MPI-4.1 §9.3.1).
   * Local.
   *
   * @return the error handler at this rank; need not be closed
   */
  @Standard({"MPI_Comm_get_errhandler"})
  Errhandler<? super Comm> errhandler();

  /**
   * Sets the reaction to failures of calls on this communicator at this rank ({@code MPI_Comm_set_errhandler}, MPI-4.1
   * §9.3.1). Local. New communicators inherit the handler of the one they are made from.
   *
   * @param errhandler the error handler
   * @throws MpiException ERR_ERRHANDLER when the handler is null or freed
   */
  @Standard({"MPI_Comm_set_errhandler"})
  void setErrhandler(Errhandler<? super Comm> errhandler);

  /**
   * Raises an error of the program's own, or of a library that it uses, as calls of this class raise theirs
   * ({@code MPI_Comm_call_errhandler}, MPI-4.1 §9.5.1): the error handler runs, and where it has not ended the job the
   * error is there to be thrown. Local.
   *
   * {@snippet :
   * throw comm.callErrhandler(full);   // the code from mpi.addErrorCode(...)
   * }
   *
   * @param errorcode a predefined class, or a class or code that has been added
   * @return the error, with the text that the code has been given
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when there is no such code
   */
  @Standard({"MPI_Comm_call_errhandler"})
  MpiException callErrhandler(int errorcode);

  /**
   * Raises an error that has been found elsewhere as calls of this class raise theirs
   * ({@code MPI_Comm_call_errhandler}, MPI-4.1 §9.5.1): for one that was found while an argument was made, such as a
   * {@link Buf}, which knows no communicator. The text of the error is kept. Local.
   *
   * @param error the error
   * @return the error, to be thrown; another one where the handler has made it so
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when the error is null
   */
  @Standard({"MPI_Comm_call_errhandler"})
  MpiException callErrhandler(MpiException error);

  // ---- hints

  /**
   * Returns the hints in use ({@code MPI_Comm_get_info}, MPI-4.1 §7.4.4). Local.
   *
   * <table>
   * <caption>Keys</caption>
   * <tr><th>key</th><th>value</th></tr>
   * <tr><td>{@code mpi_assert_no_any_source}, {@code mpi_assert_no_any_tag}</td><td>{@code true} or {@code false}, the
   * default: no receive and no probe has such a wildcard</td></tr>
   * <tr><td>{@code mpi_assert_exact_length}</td><td>{@code true} or {@code false}, the default: messages are as long as
   * the buffers that receive them</td></tr>
   * <tr><td>{@code mpi_assert_allow_overtaking}</td><td>{@code true} or {@code false}, the default: messages may be
   * received in another order than that in which they were sent</td></tr>
   * <tr><td>{@code mpi_assert_memory_alloc_kinds}</td><td>kinds of memory that buffers lie in; absent by default</td>
   * </tr>
   * <tr><td>{@code mpi_memory_alloc_kinds}</td><td>kinds of memory that buffers may lie in; cannot be set</td></tr>
   * </table>
   *
   * <p>They make nothing faster here, as has been measured. With {@code ffmpi.check=full} the first three are held
   * against what the program does, and a broken promise is an error: ERR_RANK, ERR_TAG, and ERR_COUNT for a message,
   * other than an empty one, that is shorter than its buffer.
   *
   * @return a new info
   */
  @Standard({"MPI_Comm_get_info"})
  Info info();

  /**
   * Sets hints ({@code MPI_Comm_set_info}, MPI-4.1 §7.4.4). All ranks have to set the same, as the standard requires;
   * none waits for another. Hints that the info does not have stay as they are; keys that are not in the table at
   * {@link #info} are ignored.
   *
   * @param info the hints; null for none
   * @throws MpiException ERR_INFO when the info has been freed, ERR_INFO_VALUE when the value of a hint is not allowed
   */
  @Standard({"MPI_Comm_set_info"})
  void setInfo(Info info);

  // ---- attributes

  /**
   * Returns the attributes of this communicator at this rank ({@code MPI_Comm_set_attr}, {@code MPI_Comm_get_attr},
   * {@code MPI_Comm_delete_attr}, MPI-4.1 §7.7.2). Local. Duplicates get the results of the keys' copy functions;
   * closing the communicator deletes all, and finalizing what is attached to {@link Mpi#self} and {@link Mpi#world}.
   * What a key's function throws fails the call that led to it, through this communicator's error handler: an
   * MpiException as it is, anything else as the cause of an ERR_OTHER.
   *
   * @return the attributes, the same object at each call
   */
  Attributes<Comm> attributes();
}
