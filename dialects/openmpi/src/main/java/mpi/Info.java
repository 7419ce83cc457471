// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;

/** Hints as pairs of texts ({@code MPI_Info}). */
public final class Info implements Freeable, Cloneable {
  private org.ffmpi.Info info;

  /** Creates an info without pairs ({@code MPI_Info_create}). */
  public Info() throws MPIException {
    this(new org.ffmpi.Info());
  }

  /** Wraps an info of ffmpi; null is {@code MPI_INFO_NULL}. */
  Info(org.ffmpi.Info info) {
    this.info = info;
  }

  /** Returns ffmpi's info, null for {@code MPI_INFO_NULL}. */
  org.ffmpi.Info info() {
    return info;
  }

  /** Returns ffmpi's info of an argument. */
  static org.ffmpi.Info infoOf(Info info) {
    return info == null ? null : info.info;
  }

  /** Sets the info of ffmpi behind this one. */
  void bind(org.ffmpi.Info other) {
    info = other;
  }

  private org.ffmpi.Info open() {
    return Errors.present(ErrorClass.ERR_INFO, "info", info);
  }

  /**
   * Sets a pair ({@code MPI_Info_set}).
   *
   * @param key the key
   * @param value the value
   */
  public void set(String key, String value) throws MPIException {
    Errors.run(() -> open().set(key, value));
  }

  /**
   * Returns the value of a key ({@code MPI_Info_get}).
   *
   * @param key the key
   * @return the value, or null without one
   */
  public String get(String key) throws MPIException {
    return Errors.call(() -> open().get(key).orElse(null));
  }

  /**
   * Removes a pair ({@code MPI_Info_delete}).
   *
   * @param key the key
   */
  public void delete(String key) throws MPIException {
    Errors.run(() -> open().delete(key));
  }

  /**
   * Returns the number of pairs ({@code MPI_Info_get_nkeys}).
   *
   * @return 0 or more
   */
  public int size() throws MPIException {
    return Errors.call(() -> open().size());
  }

  /**
   * Returns a key ({@code MPI_Info_get_nthkey}).
   *
   * @param i its number
   * @return the key
   */
  public String getKey(int i) throws MPIException {
    return Errors.call(() -> open().key(i));
  }

  /**
   * Duplicates the info ({@code MPI_Info_dup}).
   *
   * @return the duplicate
   */
  @Override
  public Info clone() {
    return dup();
  }

  /**
   * Duplicates the info ({@code MPI_Info_dup}).
   *
   * @return the duplicate
   */
  public Info dup() throws MPIException {
    return Errors.call(() -> new Info(open().dup()));
  }

  /** Frees the info ({@code MPI_Info_free}). */
  @Override
  public void free() throws MPIException {
    Errors.run(() -> {
      open().close();
      info = null;
    });
  }

  /**
   * Returns whether this is {@code MPI_INFO_NULL}.
   *
   * @return true once freed
   */
  public boolean isNull() {
    return info == null;
  }
}
