package org.relaxvm.compiler.pass.memory;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Gives each tensor for which no plan was made storage of its own. The number of bytes is the
 * product of the element's size and the extents from left to right, not simplified.
 *
 * <p>Source: docs/spec/passes.md, section 10.2.
 */
public final class LowerAllocTensor implements Pass {
  @Override
  public String name() {
    return "LowerAllocTensor";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(module).run();
  }

  private static final class Rewriter extends ExprMutator {
    Rewriter(IRModule module) {
      super(module);
    }

    @Override
    protected Expr rewrite(Call call) {
      Call typed = rewriteParts(call);
      if (!typed.callee().equals(MemoryOps.BUILTIN_ALLOC_TENSOR)) {
        return typed;
      }
      List<Expr> args = typed.args();
      Expr shape = args.get(0);
      if (!(args.get(1) instanceof DataTypeImm(DType dtype))
          || !(args.get(2) instanceof PrimValue(IntImm device))
          || !(args.get(3) instanceof StringImm(String scope))) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            "an allocation says dtype, device index and scope as constants, but is " + typed);
      }
      RelaxVar storage =
          builder.emit(
              MemoryOps.allocStorage(
                  byteSize(dtype, dims(typed, shape)), device.value(), scope, DType.UINT8),
              "storage");
      // The type keeps the virtual device, which the operator's own rule does not know.
      return MemoryOps.allocTensor(storage, 0, shape, dtype, device.value()).withType(typed.type());
    }

    private List<PrimExpr> dims(Call call, Expr shape) {
      Expr known = shape instanceof RelaxVar var ? lookup(var).orElse(shape) : shape;
      if (known instanceof ShapeExpr(var values)) {
        return values;
      }
      if (shape.type() instanceof ShapeType type && type.dims().isPresent()) {
        return type.dims().get();
      }
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the extents of the tensor that "
              + call
              + " makes are not known, so that its size is not either; expected a shape with known"
              + " extents, but it is "
              + shape.type());
    }

    private static PrimExpr byteSize(DType dtype, List<PrimExpr> dims) {
      if (dtype.isByteAligned()) {
        return product(dtype.elementByteSize(), dims);
      }
      PrimExpr bits = product((long) dtype.bits() * dtype.lanes(), dims);
      return Exprs.floorDiv(Exprs.add(bits, 7), IntImm.of(8));
    }

    private static PrimExpr product(long unit, List<PrimExpr> dims) {
      PrimExpr product = IntImm.of(unit);
      for (PrimExpr dim : dims) {
        product = Exprs.mul(product, dim);
      }
      return product;
    }
  }
}
