// SPDX-License-Identifier: Apache-2.0
/**
 * The files of the API. {@link org.ffmpi.file.FileOpening} opens them, the other classes are the topics of their calls.
 * The work is done in the rooms below: {@link org.ffmpi.file.view}, {@link org.ffmpi.file.access}, {@link
 * org.ffmpi.file.pointer}, {@link org.ffmpi.file.phase}.
 */
package org.ffmpi.file;
