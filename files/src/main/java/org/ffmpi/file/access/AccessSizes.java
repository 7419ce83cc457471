// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

/**
 * The sizes of accesses, by the file's hints.
 *
 * @param readWindow bytes of the file that are read at once where a view has gaps
 * @param writeWindow bytes of the file that are read, changed and written at once
 * @param sieves whether gaps are read at all
 */
public record AccessSizes(long readWindow, long writeWindow, boolean sieves) {}
