// SPDX-License-Identifier: Apache-2.0
/** Files that ranks read and write together: views, accesses, exchange in two phases, pointers. */
module org.ffmpi.files {
  requires transitive org.ffmpi.api;

  provides org.ffmpi.port.FileProvider with
      org.ffmpi.file.RankFiles;
}
