// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A version of the standard. */
public final class Version {
  private final int version;
  private final int subversion;

  Version(int version, int subversion) {
    this.version = version;
    this.subversion = subversion;
  }

  /**
   * Returns the version.
   *
   * @return as {@code MPI.VERSION}
   */
  public int getVersion() {
    return version;
  }

  /**
   * Returns the subversion.
   *
   * @return as {@code MPI.SUBVERSION}
   */
  public int getSubVersion() {
    return subversion;
  }
}
