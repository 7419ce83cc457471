// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The part of a {@link File} that a rank accesses ({@code MPI_File_get_view}). */
public final class FileView {
  private final long disp;
  private final Datatype etype;
  private final Datatype filetype;
  private final String datarep;

  /**
   * Creates a view.
   *
   * @param disp where it begins, in bytes
   * @param etype type in which positions count
   * @param filetype what it sees
   * @param datarep representation
   */
  public FileView(long disp, Datatype etype, Datatype filetype, String datarep) {
    this.disp = disp;
    this.etype = etype;
    this.filetype = filetype;
    this.datarep = datarep;
  }

  /**
   * Returns where the view begins.
   *
   * @return bytes
   */
  public long getDisp() {
    return disp;
  }

  /**
   * Returns the type in which positions count.
   *
   * @return a type
   */
  public Datatype getEType() {
    return etype;
  }

  /**
   * Returns what the view sees.
   *
   * @return a type
   */
  public Datatype getFileType() {
    return filetype;
  }

  /**
   * Returns the representation.
   *
   * @return its name
   */
  public String getDataRep() {
    return datarep;
  }
}
