package org.relaxvm.backendcpu.jit;

import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * A target with every operation, as {@link LirInterpreter} has them.
 *
 * @param vectorBits of a vector register
 * @param vectorRegisters how many there are
 * @param hasMasks whether all elements can be accessed under a mask
 */
public record AllOpsTarget(int vectorBits, int vectorRegisters, boolean hasMasks)
    implements Target {
  @Override
  public boolean hasMaskedAccess(int elementBits) {
    return hasMasks;
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
