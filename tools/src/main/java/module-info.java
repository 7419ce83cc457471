// SPDX-License-Identifier: Apache-2.0
/** Looking at a program: variables and events, traces, recordings. */
module org.ffmpi.tools {
  requires transitive org.ffmpi.api;

  exports org.ffmpi.tool;
}
