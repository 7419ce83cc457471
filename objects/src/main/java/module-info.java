// SPDX-License-Identifier: Apache-2.0
/** Objects as messages: codecs, what may be read, and their collective calls. */
module org.ffmpi.objects {
  requires transitive org.ffmpi.api;

  provides org.ffmpi.port.ObjectProvider with
      org.ffmpi.object.CodecObjects;
}
