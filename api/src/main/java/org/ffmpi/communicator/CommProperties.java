// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Info;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Texts;
import org.ffmpi.connect.ConnectSettings;
import org.ffmpi.process.CommState;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.Failures;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.process.World;

/** The name, error handler, attributes and hints of a communicator at one rank. */
public final class CommProperties {
  private final CommState state;
  private final World world;
  private volatile String name;
  private volatile Attributes<Comm> attributes;

  CommProperties(CommState state, String name) {
    this.state = state;
    this.world = state.world;
    this.name = name;
    state.channel.setName(name);
  }

  /** Returns the value of a predefined attribute, or null where it has none. */
  public Object predefined(String attribute) {
    return switch (attribute) {
      case "MPI_TAG_UB" -> Constants.LARGEST_TAG;
      case "MPI_HOST" -> Constants.PROC_NULL;
      case "MPI_IO" -> Constants.ANY_SOURCE;
      case "MPI_WTIME_IS_GLOBAL" -> true;
      case "MPI_APPNUM" -> {
        yield world.program() < 0 ? null : world.program();
      }
      case "MPI_UNIVERSE_SIZE" -> {
        int most = ConnectSettings.UNIVERSE.get(world.settings());
        yield most > 0 ? most : Math.max(world.engine().peers(), Runtime.getRuntime().availableProcessors());
      }
      default -> world.errorCodes().lastUsed();
    };
  }

  // ---- name and error handler

  public String name() {
    return name;
  }

  public void setName(String name) {
    state.checkOpen();
    try {
      this.name = Texts.objectName(name);
      state.channel.setName(this.name);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public Errhandler<? super Comm> errhandler() {
    return state.errhandler();
  }

  public void setErrhandler(Errhandler<? super Comm> errhandler) {
    state.checkOpen();
    MpiException refused = ErrhandlerImpl.refusal(errhandler);
    if (refused != null) {
      throw state.raise(refused);
    }
    state.setErrhandler(errhandler);
  }

  public MpiException callErrhandler(int errorcode) {
    state.checkOpen();
    MpiException error;
    try {
      error = world.errorCodes().exception(errorcode);
    } catch (MpiException e) {
      throw state.raise(e);
    }
    return raise(error);
  }

  public MpiException callErrhandler(MpiException error) {
    state.checkOpen();
    if (error == null) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "error", null, "an error"));
    }
    return raise(error);
  }

  /** Passes an error to the handler; throws it where the handler is fatal, returns it otherwise. */
  private MpiException raise(MpiException error) {
    Errhandler<? super Comm> handler = state.errhandler();
    ErrhandlerImpl.of(handler).handle(world, state.comm(), error);
    if (ErrhandlerImpl.of(handler).isFatal()) {
      throw error;
    }
    return error;
  }

  // ---- hints

  public Info info() {
    state.checkOpen();
    return state.hints().toInfo(world.memoryKinds());
  }

  public void setInfo(Info info) {
    state.checkOpen();
    try {
      state.setHints(state.hints().with(InfoAccess.entries(info)));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  // ---- attributes

  public Attributes<Comm> attributes() {
    state.checkOpen();
    Attributes<Comm> present = attributes;
    if (present == null) {
      synchronized (this) {
        present = attributes;
        if (present == null) {
          present = new Attributes<>(state.comm(), new Attached());
          attributes = present;
        }
      }
    }
    return present;
  }

  /** The communicator as the owner of its attributes. */
  private final class Attached implements Attributes.Owner {
    @Override
    public void checkUsable() {
      state.checkOpen();
    }

    @Override
    public RuntimeException failed(Throwable thrown) {
      return state.raise(Failures.ofCallback("a function of an attribute's key", thrown));
    }
  }

  /** Deletes the attributes, the last one first. Stops when a function throws. */
  public void deleteAttributes() {
    if (attributes != null) {
      try {
        attributes.deleteAll();
      } catch (RuntimeException | Error e) {
        throw state.raise(Failures.ofCallback("an attribute's delete function", e));
      }
    }
  }

  /** Calls the keys' copy functions now for a duplicate that is made later, and records the handler. */
  Inheritance copyAttributes() {
    try {
      return new Inheritance(state.comm(), state.errhandler(), attributes == null ? null : attributes.copy());
    } catch (RuntimeException | Error e) {
      throw state.raise(Failures.ofCallback("an attribute's copy function", e));
    }
  }

  /** Sets on a duplicate the results of the keys' copy functions. When one throws, the duplicate is closed. */
  void copyAttributesTo(Comm duplicate) {
    if (attributes != null) {
      try {
        attributes.copyTo(duplicate.attributes());
      } catch (RuntimeException | Error e) {
        ((CommState.Holder) duplicate).discard();
        throw state.raise(Failures.ofCallback("an attribute's copy function", e));
      }
    }
  }
}
