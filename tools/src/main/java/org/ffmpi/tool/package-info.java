// SPDX-License-Identifier: Apache-2.0
/**
 * The tools interface of MPI (MPI-4.1 chapter 15): variables that show and set what the library does, and events that
 * it reports. {@link org.ffmpi.tool.Tool} is where tools begin.
 */
package org.ffmpi.tool;
