// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

/** A file. */
final class FileImpl extends ForwardingFile {
  FileImpl(FileState state) {
    super(state);
  }
}
