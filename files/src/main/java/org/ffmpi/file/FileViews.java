// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import org.ffmpi.Info;
import org.ffmpi.MpiFile;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.file.view.Representation;
import org.ffmpi.process.InfoAccess;

/** The view of a file at one rank. */
public final class FileViews {
  private final FileState state;

  FileViews(FileState state) {
    this.state = state;
  }

  public void setView(long disp, Datatype<?> etype, Datatype<?> filetype, String datarep, Info info) {
    state.checkUsable();
    try {
      FileView next = null;
      MpiException failure = refusal(disp, etype, filetype);
      if (failure == null) {
        try {
          Representation form = FileDefaults.of(state.world).representation(datarep);
          long from = disp == Constants.DISPLACEMENT_CURRENT ? sharedPlace() : disp;
          next = FileView.of(from, etype, filetype, datarep, form);
          state.hints.add(InfoAccess.entries(info));
        } catch (MpiException e) {
          failure = e;
        }
      }
      state.agree(failure, "extent of the etype and hash of the datarep",
          failure == null ? etype.extent() : 0, failure == null ? datarep.hashCode() : 0);
      state.setView(next);
      state.pointer.set(0);
      if (state.channel.rank() == 0) {
        state.words.move(0);
      }
      state.phases.settle(next.layout(), state.hints.phases());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private MpiException refusal(long disp, Datatype<?> etype, Datatype<?> filetype) {
    boolean sequential = state.isOpenAs(Constants.MODE_SEQUENTIAL);
    if (sequential != (disp == Constants.DISPLACEMENT_CURRENT) || !sequential && disp < 0) {
      return MpiException.argument(ErrorClass.ERR_ARG, "disp", disp, sequential
          ? "DISPLACEMENT_CURRENT in a file that is open as SEQUENTIAL" : "0 or more");
    }
    MpiException split = state.splitRefusal();
    return split != null ? split : FileView.refusal(etype, filetype);
  }

  private long sharedPlace() {
    FileView view = state.view();
    return view.layout().place(view.bytesOf(state.words.pointer()));
  }

  public MpiFile.View view() {
    state.checkOpen();
    return state.view().shown();
  }

  public long typeExtent(Datatype<?> type) {
    state.checkOpen();
    if (type == null || type.isClosed()) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have not been freed"));
    }
    try {
      Representation form = state.view().form();
      return form == null ? type.extent() : form.extent(type);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public long byteOffset(long offset) {
    state.checkOpen();
    MpiException refused = state.sequential("byteOffset");
    if (refused == null && offset < 0) {
      refused = MpiException.argument(ErrorClass.ERR_ARG, "offset", offset, "0 or more");
    }
    if (refused != null) {
      throw state.raise(refused);
    }
    try {
      FileView view = state.view();
      return view.layout().size() == 0 ? view.layout().disp() : view.layout().place(view.bytesOf(offset));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }
}
