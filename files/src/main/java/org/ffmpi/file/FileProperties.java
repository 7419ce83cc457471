// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.MpiFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.InfoAccess;

/** The properties of a file at one rank, such as its group, mode, hints and error handler. */
public final class FileProperties {
  private final FileState state;

  FileProperties(FileState state) {
    this.state = state;
  }

  public Group group() {
    state.checkOpen();
    return GroupAccess.of(state.world, state.channel.local());
  }

  public int amode() {
    state.checkOpen();
    return state.amode;
  }

  public Info info() {
    state.checkOpen();
    return state.hints.toInfo();
  }

  public void setInfo(Info info) {
    state.checkUsable();
    MpiException failure = null;
    try {
      state.hints.add(InfoAccess.entries(info));
    } catch (MpiException e) {
      failure = e;
    }
    try {
      state.phases.settle(state.view().layout(), state.hints.phases());
      if (failure != null) {
        throw failure;
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Errhandler<? super MpiFile> errhandler() {
    return state.errhandler();
  }

  public void setErrhandler(Errhandler<? super MpiFile> errhandler) {
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
    return handled(error);
  }

  public MpiException callErrhandler(MpiException error) {
    if (error == null) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "error", null, "an error"));
    }
    return handled(error);
  }

  /** Calls the error handler; throws the error when the handler is fatal, returns it otherwise. */
  private MpiException handled(MpiException error) {
    Errhandler<? super MpiFile> handler = state.errhandler();
    MpiException raised = state.raise(error);
    if (ErrhandlerImpl.of(handler).isFatal()) {
      throw raised;
    }
    return raised;
  }
}
