// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import org.ffmpi.MpiFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.file.view.FilePlaces;
import org.ffmpi.file.view.Representation;

/**
 * A view that has been set at one rank, with all that accesses need of it.
 *
 * @param shown what the program sees of it
 * @param layout the places that it leaves
 * @param etypeBytes bytes of an etype in the file
 * @param form the representation; null for the native one
 */
record FileView(MpiFile.View shown, FilePlaces layout, long etypeBytes, Representation form) {
  /** Filetypes of more runs are not looked through. */
  private static final long MOST_RUNS = 1 << 20;

  /** Returns the view that a file begins with. */
  static FileView ofBytes() {
    return of(0, Datatype.BYTE, Datatype.BYTE, FileDefaults.NATIVE, null);
  }

  static FileView of(long disp, Datatype<?> etype, Datatype<?> filetype, String datarep, Representation form) {
    Plan places = TypeHandle.planOf(form == null ? filetype : form.inFile(filetype));
    long etypeBytes = (form == null ? etype : form.inFile(etype)).size();
    return new FileView(
        new MpiFile.View(disp, kept(etype), kept(filetype), datarep), new FilePlaces(disp, places), etypeBytes, form);
  }

  private static Datatype<?> kept(Datatype<?> type) {
    return type.isPredefined() ? type : TypeHandle.of(type).bare();
  }

  /** Returns why types cannot make a view, or null. */
  static MpiException refusal(Datatype<?> etype, Datatype<?> filetype) {
    MpiException wrong = unusable("etype", etype);
    if (wrong == null) {
      wrong = unusable("filetype", filetype);
    }
    if (wrong != null) {
      return wrong;
    }
    if (etype.size() == 0 || filetype.size() % etype.size() != 0) {
      return new MpiException(ErrorClass.ERR_TYPE, "filetype = " + filetype + " of " + filetype.size()
          + " bytes: allowed are whole numbers of the etype " + etype + " of " + etype.size() + " bytes");
    }
    Plan plan = TypeHandle.planOf(filetype);
    if (plan.size() > 0 && (filetype.extent() < 0 || plan.trueLowerBound() < 0)) {
      return new MpiException(ErrorClass.ERR_TYPE, "filetype = " + filetype
          + ": allowed are types whose displacements and extent are not negative");
    }
    if (!plan.isContiguous() && plan.runs() <= MOST_RUNS && decreases(plan)) {
      return new MpiException(ErrorClass.ERR_TYPE, "filetype = " + filetype
          + ": allowed are types whose displacements do not decrease");
    }
    return null;
  }

  private static MpiException unusable(String argument, Datatype<?> type) {
    if (type == null) {
      return MpiException.argument(ErrorClass.ERR_TYPE, argument, null, "a datatype");
    }
    if (type.isClosed()) {
      return new MpiException(ErrorClass.ERR_TYPE, argument + ": type " + type + " has been freed");
    }
    return type.isCommitted() ? null : new MpiException(
        ErrorClass.ERR_TYPE, argument + ": type " + type + " is not committed: call commit() first");
  }

  private static boolean decreases(Plan plan) {
    long[] last = {Long.MIN_VALUE};
    boolean[] found = new boolean[1];
    plan.forEachRun(1, (displacement, bytes) -> {
      found[0] |= displacement < last[0];
      last[0] = displacement;
    });
    return found[0];
  }

  /** Returns how many etypes of the view lie before a place in the file, one that is cut counted as well. */
  long etypesBefore(long place) {
    if (layout.size() == 0 || place <= layout.disp()) {
      return 0;
    }
    long extent = Math.max(1, layout.plan().extent());
    long most = Math.multiplyExact((place - layout.disp()) / extent + 1, layout.size());
    long bytes = layout.isAscending() ? layout.firstNotBefore(place, 0, most) : most - layout.size();
    return Math.ceilDiv(bytes, etypeBytes);
  }

  /** Returns the view's byte that an offset names. */
  long bytesOf(long etypes) {
    try {
      return Math.multiplyExact(etypes, etypeBytes);
    } catch (ArithmeticException e) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "offset", etypes,
          "0.." + Long.MAX_VALUE / etypeBytes + ", with etypes of " + etypeBytes + " bytes");
    }
  }
}
