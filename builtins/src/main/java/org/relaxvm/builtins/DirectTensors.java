package org.relaxvm.builtins;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.Registers;
import org.relaxvm.builtins.DirectMemory.ShapeOperand;

/** Direct forms of views, checks and conditions. */
final class DirectTensors {
  private DirectTensors() {}

  static @Nullable DirectCall reshape(CallSite site) {
    if (site.count() != 2 || !site.isRegister(0)) {
      return null;
    }
    ShapeOperand shape = ShapeOperand.of(site, 1);
    return shape == null ? null : new Reshape(site.register(0), shape, site.destination());
  }

  static @Nullable DirectCall shapeOf(CallSite site) {
    return site.count() == 1 && site.isRegister(0)
        ? new ShapeOf(site.register(0), site.destination())
        : null;
  }

  static @Nullable DirectCall readIfCond(CallSite site) {
    return site.count() == 1 && site.isRegister(0)
        ? new ReadIfCond(site.register(0), site.destination())
        : null;
  }

  static @Nullable DirectCall checkTensorInfo(CallSite site) {
    boolean isTyped = site.count() == 4;
    if ((!isTyped && site.count() != 3) || !site.isRegister(0) || !site.isConstantInt(1)) {
      return null;
    }
    DType dtype = isTyped ? site.constant(2, DType.class) : null;
    return isTyped && dtype == null && !site.isConstantNull(2)
        ? null
        : new CheckTensorInfo(site.register(0), site.constantBits(1), dtype, site.destination());
  }

  record Reshape(int tensor, ShapeOperand shape, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Shape wanted = shape.in(refs, base);
      if (wanted == null || !(refs[base + tensor] instanceof Tensor source)) {
        return false;
      }
      Tensor view = source.reshape(wanted);
      Registers.write(refs, bits, base, destination, view, 0);
      return true;
    }
  }

  record ShapeOf(int tensor, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      if (!(refs[base + tensor] instanceof Tensor source)) {
        return false;
      }
      Registers.write(refs, bits, base, destination, source.shape(), 0);
      return true;
    }
  }

  record ReadIfCond(int condition, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Object ref = refs[base + condition];
      boolean isTrue;
      if (ref == ScalarTag.BOOL || ref == ScalarTag.INT) {
        isTrue = bits[base + condition] != 0;
      } else if (ref instanceof Tensor tensor && tensor.device().isHost()) {
        isTrue = ControlBuiltins.isNonZero(tensor);
      } else {
        return false;
      }
      Registers.write(refs, bits, base, destination, ScalarTag.BOOL, isTrue ? 1 : 0);
      return true;
    }
  }

  record CheckTensorInfo(int value, long rank, @Nullable DType dtype, int destination)
      implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      if (!(refs[base + value] instanceof Tensor tensor)
          || (rank != CheckBuiltins.ANY_RANK && rank != tensor.shape().rank())
          || (dtype != null && !dtype.equals(tensor.dtype()))) {
        return false;
      }
      Registers.write(refs, bits, base, destination, null, 0);
      return true;
    }
  }
}
