// SPDX-License-Identifier: Apache-2.0
/** Small real programs written against the API alone. */
module org.ffmpi.samples {
  requires org.ffmpi;
  requires java.desktop;

  exports org.ffmpi.samples;
}
