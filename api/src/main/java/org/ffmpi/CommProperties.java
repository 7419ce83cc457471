// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.ProgramFacts;

/** What a communicator has at one rank beside its processes: a name, an error handler, attributes and hints. */
abstract sealed class CommProperties extends PartitionedMessages permits Comm {
  /** The largest tag that a message can have. An attribute of every communicator. */
  @Standard({"MPI_TAG_UB"})
  public static final Keyval<Comm, Integer> TAG_UB = told("MPI_TAG_UB");

  /** The host's rank: {@code PROC_NULL}, since there is none. An attribute of every communicator. */
  @Standard({"MPI_HOST"})
  public static final Keyval<Comm, Integer> HOST = told("MPI_HOST");

  /** Which rank can do input and output: {@code ANY_SOURCE}, all. An attribute of every communicator. */
  @Standard({"MPI_IO"})
  public static final Keyval<Comm, Integer> IO = told("MPI_IO");

  /**
   * Whether {@link Mpi#wtime} is the same at all ranks: true, since the clock is the machine's. An attribute of every
   * communicator.
   */
  @Standard({"MPI_WTIME_IS_GLOBAL"})
  public static final Keyval<Comm, Boolean> WTIME_IS_GLOBAL = told("MPI_WTIME_IS_GLOBAL");

  /**
   * Number of this rank's program among those that were started together, from 0; no attribute where no launcher has
   * told it.
   */
  @Standard({"MPI_APPNUM"})
  public static final Keyval<Comm, Integer> APPNUM = told("MPI_APPNUM");

  /**
   * How many processes there can be: as many as were started. An attribute of every communicator.
   */
  @Standard({"MPI_UNIVERSE_SIZE"})
  public static final Keyval<Comm, Integer> UNIVERSE_SIZE = told("MPI_UNIVERSE_SIZE");

  /** The largest error class or code in use, those included that this process has added. */
  @Standard({"MPI_LASTUSEDCODE"})
  public static final Keyval<Comm, Integer> LASTUSEDCODE = told("MPI_LASTUSEDCODE");

  private volatile String name;
  private volatile Attributes<Comm> attributes;
  private volatile CommHints hints = CommHints.NONE;

  CommProperties(World world, Channel channel, String name, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
    this.name = name;
  }

  private static <V> Keyval<Comm, V> told(String name) {
    return Keyval.readOnly(name, new Told<>(name));
  }

  /** Tells a predefined attribute. One class instead of a lambda each, which would make every rank start later. */
  private static final class Told<V> implements Function<Comm, Optional<V>> {
    private final String name;

    Told(String name) {
      this.name = name;
    }

    @Override
    @SuppressWarnings("unchecked") // the constants above have the types of what their names stand for
    public Optional<V> apply(Comm comm) {
      return (Optional<V>) Optional.ofNullable(((CommProperties) comm).told(this));
    }
  }

  private Object told(Told<?> attribute) {
    return switch (attribute.name) {
      case "MPI_TAG_UB" -> Constants.LARGEST_TAG;
      case "MPI_HOST" -> Constants.PROC_NULL;
      case "MPI_IO" -> Constants.ANY_SOURCE;
      case "MPI_WTIME_IS_GLOBAL" -> true;
      case "MPI_APPNUM" -> {
        int program = ProgramFacts.PROGRAM.get(world.settings());
        yield program < 0 ? null : program;
      }
      case "MPI_UNIVERSE_SIZE" -> engine.peers();
      default -> world.errorCodes().lastUsed();
    };
  }

  // ---- name and error handler

  /**
   * Returns the name, for messages and tools ({@code MPI_Comm_get_name}, MPI-4.1 §7.8). Local.
   *
   * @return the name; to begin with {@code MPI_COMM_WORLD}, {@code MPI_COMM_SELF}, and empty for all others
   */
  @Standard({"MPI_Comm_get_name"})
  public String name() {
    return name;
  }

  /**
   * Names this communicator at this rank ({@code MPI_Comm_set_name}, MPI-4.1 §7.8). Local.
   *
   * @param name at most {@code MAX_OBJECT_NAME} - 1 characters
   * @throws MpiException ERR_ARG when the name is null or too long
   */
  @Standard({"MPI_Comm_set_name"})
  public void setName(String name) {
    checkOpen();
    if (name == null || name.length() >= Constants.MAX_OBJECT_NAME) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_ARG, "name", name, "names of less than " + Constants.MAX_OBJECT_NAME + " characters"));
    }
    this.name = name;
  }

  /**
   * Returns what happens when a call on this communicator fails ({@code MPI_Comm_get_errhandler}, MPI-4.1 §9.3.1).
   * Local.
   *
   * @return the error handler at this rank; need not be closed
   */
  @Standard({"MPI_Comm_get_errhandler"})
  public Errhandler<? super Comm> errhandler() {
    return state.errhandler().reference();
  }

  /**
   * Says what shall happen when a call on this communicator fails at this rank ({@code MPI_Comm_set_errhandler},
   * MPI-4.1 §9.3.1). Local. New communicators inherit the handler of the one they are made from.
   *
   * @param errhandler the error handler
   * @throws MpiException ERR_ERRHANDLER when the handler is null or freed
   */
  @Standard({"MPI_Comm_set_errhandler"})
  public void setErrhandler(Errhandler<? super Comm> errhandler) {
    checkOpen();
    MpiException refused = Errhandler.refusal(errhandler);
    if (refused != null) {
      throw raise(refused);
    }
    state.setErrhandler(errhandler);
  }

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
  public MpiException callErrhandler(int errorcode) {
    checkOpen();
    MpiException error;
    try {
      error = world.errorCodes().exception(errorcode);
    } catch (MpiException e) {
      throw raise(e);
    }
    Errhandler<? super Comm> handler = state.errhandler();
    handler.handle(world, (Comm) this, error);
    if (handler.isFatal()) {
      throw error;
    }
    return error;
  }

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
  public Info info() {
    checkOpen();
    return hints.toInfo();
  }

  /**
   * Sets hints ({@code MPI_Comm_set_info}, MPI-4.1 §7.4.4). All ranks have to set the same, as the standard says; none
   * waits for another. Hints that the info does not have stay as they are; keys that are not in the table at
   * {@link #info} are ignored.
   *
   * @param info the hints; null for none
   * @throws MpiException ERR_INFO when the info has been freed, ERR_INFO_VALUE when the value of a hint is not allowed
   */
  @Standard({"MPI_Comm_set_info"})
  public void setInfo(Info info) {
    checkOpen();
    try {
      setHints(hints.with(Info.entries(info)));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  final void setHints(CommHints hints) {
    this.hints = hints;
    channel.setExactLength(hints.exactLength());
  }

  @Override
  final void checkPromises(int source, int tag) {
    MpiException broken = hints.brokenBy(source, tag);
    if (broken != null) {
      throw raise(broken);
    }
  }

  // ---- attributes

  /**
   * Returns what is attached to this communicator at this rank ({@code MPI_Comm_set_attr}, {@code MPI_Comm_get_attr},
   * {@code MPI_Comm_delete_attr}, MPI-4.1 §7.7.2). Local. Duplicates get what the keys' copy functions say; closing
   * the communicator deletes all, and finalizing what is attached to {@link Mpi#self} and {@link Mpi#world}. What a
   * key's function throws fails the call that led to it, through this communicator's error handler: an MpiException as
   * it is, anything else as the cause of an ERR_OTHER.
   *
   * @return the attributes, the same object at each call
   */
  public Attributes<Comm> attributes() {
    checkOpen();
    Attributes<Comm> present = attributes;
    if (present == null) {
      synchronized (this) {
        present = attributes;
        if (present == null) {
          present = new Attributes<>((Comm) this, new Attached());
          attributes = present;
        }
      }
    }
    return present;
  }

  /** What the attributes ask the communicator. */
  private final class Attached implements Attributes.Owner {
    @Override
    public void checkUsable() {
      checkOpen();
    }

    @Override
    public RuntimeException failed(Throwable thrown) {
      return raise(Failures.ofCallback("a function of an attribute's key", thrown));
    }
  }

  /** Deletes what is attached, what was set last first. Stops when a function throws. */
  final void deleteAttributes() {
    if (attributes != null) {
      try {
        attributes.deleteAll();
      } catch (RuntimeException | Error e) {
        throw raise(Failures.ofCallback("an attribute's delete function", e));
      }
    }
  }

  /** Asks the keys' functions now what a duplicate shall have that is made later, and remembers the handler. */
  final Consumer<Comm> copyAttributes() {
    Errhandler<? super Comm> current = state.errhandler();
    if (attributes == null) {
      return duplicate -> duplicate.inherit(current);
    }
    try {
      Consumer<Attributes<Comm>> copies = attributes.copy();
      return duplicate -> {
        duplicate.inherit(current);
        copies.accept(duplicate.attributes());
      };
    } catch (RuntimeException | Error e) {
      throw raise(Failures.ofCallback("an attribute's copy function", e));
    }
  }

  /** Begins with a handler that another communicator had when this one was asked for. */
  final void inherit(Errhandler<? super Comm> handler) {
    state.setErrhandler(handler);
  }

  /** Gives a duplicate what the keys' functions say. When one throws, the duplicate is closed. */
  final void copyAttributesTo(Comm duplicate) {
    if (attributes != null) {
      try {
        attributes.copyTo(duplicate.attributes());
      } catch (RuntimeException | Error e) {
        duplicate.markClosed();
        throw raise(Failures.ofCallback("an attribute's copy function", e));
      }
    }
  }
}
