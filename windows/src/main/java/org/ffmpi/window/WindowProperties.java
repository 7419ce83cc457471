// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.Win;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Texts;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.Failures;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.InfoAccess;

/** The properties of a window at one rank: its group, a name, an error handler, attributes and hints. */
public final class WindowProperties {
  private final WindowState state;
  private final WindowHints hints;
  private volatile String name = "";
  private Attributes<Win> attributes;

  WindowProperties(WindowState state, WindowHints hints) {
    this.state = state;
    this.hints = hints;
  }

  public Group group() {
    state.checkOpen();
    return GroupAccess.of(state.world, state.channel.local());
  }

  public String name() {
    return name;
  }

  public void setName(String given) {
    state.checkOpen();
    try {
      name = Texts.objectName(given);
      state.channel.setName(name);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public Errhandler<? super Win> errhandler() {
    return state.errhandler();
  }

  public void setErrhandler(Errhandler<? super Win> errhandler) {
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
      error = state.world.errorCodes().exception(errorcode);
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

  /** Calls the error handler; throws the error when the handler is fatal, returns it otherwise. */
  private MpiException raise(MpiException error) {
    Errhandler<? super Win> handler = state.errhandler();
    ErrhandlerImpl.of(handler).handle(state.world, state.win(), error);
    if (ErrhandlerImpl.of(handler).isFatal()) {
      throw error;
    }
    return error;
  }

  public Info info() {
    state.checkOpen();
    return hints.toInfo();
  }

  public void setInfo(Info info) {
    state.checkOpen();
    try {
      hints.add(InfoAccess.entries(info));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public synchronized Attributes<Win> attributes() {
    state.checkOpen();
    if (attributes == null) {
      attributes = new Attributes<>(state.win(), new Attached());
    }
    return attributes;
  }

  /** The window as the owner of its attributes. */
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

  /**
   * Deletes all attributes, the last set first. Stops when a function throws.
   *
   * @throws MpiException the function's error, of which the error handler does not know
   */
  synchronized void deleteAttributes() {
    if (attributes != null) {
      try {
        attributes.deleteAll();
      } catch (RuntimeException | Error e) {
        throw Failures.ofCallback("an attribute's delete function", e);
      }
    }
  }
}
