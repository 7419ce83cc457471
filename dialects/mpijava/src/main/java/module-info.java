// SPDX-License-Identifier: Apache-2.0

/** Package {@code mpi} as programs of mpiJava and MPJ Express know it. */
module org.ffmpi.dialect.mpijava {
  requires org.ffmpi.dialect;

  exports mpi;
  exports mpjbuf;
  exports mpjdev;
  exports xdev;
}
