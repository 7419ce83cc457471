// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.Map;

/** Names of cases on the page. */
final class Names {
  static final Map<String, String> COLD = Map.of(
      "pingpong-8", "round trip, 8 B",
      "pingpong-64k", "round trip, 64 KiB",
      "nonblocking-8", "isend and irecv, 8 B",
      "halo", "halo, 8 requests",
      "allreduce-8", "allreduce, 8 B",
      "alltoallv-1k", "alltoallv, 1 KiB",
      "derived-8k", "column, 8 KiB");

  static final Map<String, String> APPS = Map.of(
      "jacobi", "Jacobi",
      "gradient", "gradients",
      "sort", "sample sort",
      "bodies", "n-body",
      "fourier", "Fourier");

  private Names() {}
}
