// SPDX-License-Identifier: Apache-2.0
/** Buffers in the memory of Chronicle Bytes, and Chronicle Bytes in shared memory. */
module org.ffmpi.chronicle {
  requires transitive org.ffmpi;
  requires transitive chronicle.bytes;
  requires chronicle.core;

  exports org.ffmpi.chronicle;
}
