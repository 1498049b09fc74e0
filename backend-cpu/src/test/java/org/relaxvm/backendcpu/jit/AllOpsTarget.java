package org.relaxvm.backendcpu.jit;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * A target with every operation, as {@link LirInterpreter} has them.
 *
 * @param vectorBits of a vector register
 */
public record AllOpsTarget(int vectorBits) implements Target {
  @Override
  public int vectorRegisters() {
    return 32;
  }

  @Override
  public boolean hasMaskedAccess(int elementBits) {
    return true;
  }

  @Override
  public boolean supports(Op op, Type result, Type operand) {
    return true;
  }

  @Override
  public boolean supports(Relation relation, Type operands) {
    return true;
  }

  @Override
  public boolean supportsGather(Type result, Type index) {
    return true;
  }
}
