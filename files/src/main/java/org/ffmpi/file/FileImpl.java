// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

/** A file. */
sealed class FileImpl extends ForwardingFile permits ReportingFile {
  FileImpl(FileState state) {
    super(state);
  }
}
