package org.relaxvm.compiler.type;

import org.relaxvm.api.DType;

/**
 * A number or boolean that lies in a register.
 *
 * @param dtype its type: one scalar
 */
public record PrimType(DType dtype) implements Type {
  @Override
  public String toString() {
    return TypeText.print(this);
  }
}
