// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.List;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/**
 * The predefined type of a Fortran kind with a given precision and range ({@code MPI_Type_create_f90_real}, {@code
 * _complex} or {@code _integer}).
 *
 * @param combiner which of the three
 * @param precision decimal digits, or UNDEFINED; not used for integers
 * @param range decimal exponent range, or UNDEFINED
 * @param basic the type that was found
 */
public record FortranKindType(Combiner combiner, int precision, int range, Basic basic) implements TypeConstructor {
  @Override
  public Bounds bounds() {
    return basic.element().bounds();
  }

  @Override
  public ByteShape shape() {
    return new TypeTree.Named(basic).shape();
  }

  @Override
  public Signature signature(Bounds bounds) {
    return Signature.of(basic);
  }

  @Override
  public List<TypeTree> components() {
    return List.of();
  }

  @Override
  public int arrays() {
    return ArrayKinds.of(basic.element());
  }
}
