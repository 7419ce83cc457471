// SPDX-License-Identifier: Apache-2.0
/**
 * Datatypes, the plans they compile to when committed, and the kernels that copy and reduce.
 *
 * <p>The Vector API is used where {@code jdk.incubator.vector} is present at run time; this descriptor does not name
 * it, because a dependent's compiler would then warn about an incubating module.
 */
module org.ffmpi.datatype {
  requires transitive org.ffmpi.base;

  exports org.ffmpi.datatype;
  exports org.ffmpi.datatype.plan;
  exports org.ffmpi.datatype.reduce;
}
