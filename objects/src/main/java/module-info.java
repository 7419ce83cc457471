// SPDX-License-Identifier: Apache-2.0
/** Messages and collective calls with objects: codecs, limits on reading. */
module org.ffmpi.objects {
  requires transitive org.ffmpi.api;

  provides org.ffmpi.port.ObjectProvider with
      org.ffmpi.object.CodecObjects;
}
