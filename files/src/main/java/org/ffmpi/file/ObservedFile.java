// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

/** A file whose calls are reported to the observer of its engine. */
final class ObservedFile extends ReportingFile {
  ObservedFile(FileState state) {
    super(state);
  }
}
