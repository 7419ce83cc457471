// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import org.ffmpi.SharedPart;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The memory of a window: this rank's part, and in shared windows those of all ranks. */
public final class WindowMemory {
  private final WindowState state;
  private final Win.Flavor flavor;
  private final WindowTable table;
  /** The parts that the program sees; null for others. */
  private final MemorySegment[] segments;
  /** Keeps the synchronization blocks mapped. */
  @SuppressWarnings("unused")
  private final MemorySegment[] blocks;
  /** Null for windows that are not dynamic. */
  private final Attachments attachments;
  /** Value of {@link Win#BASE}. */
  private final Object base;

  WindowMemory(
      WindowState state, Win.Flavor flavor, WindowTable table, MemorySegment[] segments, MemorySegment[] blocks,
      Attachments attachments, Object base) {
    this.state = state;
    this.flavor = flavor;
    this.table = table;
    this.segments = segments;
    this.blocks = blocks;
    this.attachments = attachments;
    this.base = base;
  }

  public MemorySegment segment() {
    state.checkOpen();
    if (flavor != Win.Flavor.ALLOCATE && flavor != Win.Flavor.SHARED) {
      throw wrongFlavor("segment()", "made by winAllocate and winAllocateShared");
    }
    return segments[state.channel.rank()];
  }

  public MemorySegment segment(int rank) {
    checkShared("segment(rank)");
    state.checkRank("rank", rank);
    return segments[rank];
  }

  public SharedPart sharedQuery(int rank) {
    state.checkOpen();
    if (flavor == Win.Flavor.DYNAMIC) {
      throw wrongFlavor("sharedQuery()", "that are not dynamic");
    }
    int found = rank;
    if (rank == Constants.PROC_NULL) {
      found = 0;
      while (found < state.size - 1 && shared(found).byteSize() == 0) {
        found++;
      }
    } else {
      state.checkRank("rank", rank);
    }
    MemorySegment part = shared(found);
    return new SharedPart(found, part, part.byteSize(), table.unit(found));
  }

  /** Returns the part of a rank as far as this rank shares it; no bytes otherwise. */
  private MemorySegment shared(int rank) {
    return segments[rank] == null ? MemorySegment.NULL : segments[rank];
  }

  private void checkShared(String call) {
    state.checkOpen();
    if (flavor != Win.Flavor.SHARED) {
      throw wrongFlavor(call, "made by winAllocateShared");
    }
  }

  private MpiException wrongFlavor(String call, String allowed) {
    return state.raise(MpiException.argument(
        ErrorClass.ERR_RMA_FLAVOR, "window of " + call, flavor, "windows " + allowed));
  }

  public void attach(MemorySegment memory) {
    checkDynamic("attach()");
    try {
      attachments.attach(memory);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public void detach(MemorySegment memory) {
    checkDynamic("detach()");
    try {
      attachments.detach(memory);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private void checkDynamic(String call) {
    state.checkOpen();
    if (flavor != Win.Flavor.DYNAMIC) {
      throw wrongFlavor(call, "made by winCreateDynamic");
    }
  }

  public long size() {
    return table.bytes(state.channel.rank());
  }

  public int dispUnit() {
    return table.unit(state.channel.rank());
  }

  public Win.Flavor flavor() {
    return flavor;
  }

  /** Returns the value of a predefined attribute, or null where it has none. */
  Object predefined(String attribute) {
    return switch (attribute) {
      case "MPI_WIN_BASE" -> base;
      case "MPI_WIN_SIZE" -> size();
      case "MPI_WIN_DISP_UNIT" -> dispUnit();
      case "MPI_WIN_CREATE_FLAVOR" -> flavor;
      default -> Win.Model.UNIFIED;
    };
  }
}
