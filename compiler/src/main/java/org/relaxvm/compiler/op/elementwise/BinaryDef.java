package org.relaxvm.compiler.op.elementwise;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.KernelInputs;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Broadcast;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * An operator on two tensors that are broadcast. Each may be a scalar instead; of two scalars the
 * result is one.
 *
 * @param domain what dtypes there are
 * @param givesBool whether the result is bool, else it has the dtype of the operands
 * @param scalar what it is of two scalars; empty when kernels only compute it
 */
record BinaryDef(
    String name, Domain domain, boolean givesBool, Optional<BinaryOp> scalar, Body body) {
  /** What dtypes operands have. */
  enum Domain {
    ANY("any dtype", dtype -> true),
    NUMBERS("numbers", ElementTypes::isNumber),
    FLOATS("floats", ElementTypes::isFloat),
    INTEGERS("integers", DTypes::isInteger),
    INTEGERS_OR_BOOLEANS("integers or booleans", DTypes::isIntegral),
    BOOLEANS("booleans", DType.BOOL::equals);

    private final String text;
    private final Predicate<DType> dtypes;

    Domain(String text, Predicate<DType> dtypes) {
      this.text = text;
      this.dtypes = dtypes;
    }
  }

  /** What a kernel computes. */
  interface Body {
    TensorExpr of(KernelBuilder k, String name, TensorExpr a, TensorExpr b);
  }

  static OpDef number(String name, Domain domain, Body body) {
    return new BinaryDef(name, domain, false, Optional.empty(), body).op();
  }

  static OpDef number(String name, BinaryOp scalar) {
    return new BinaryDef(name, Domain.NUMBERS, false, Optional.of(scalar), body(scalar)).op();
  }

  static OpDef comparison(String name, Domain domain, BinaryOp scalar) {
    return new BinaryDef(name, domain, true, Optional.of(scalar), body(scalar)).op();
  }

  private static Body body(BinaryOp op) {
    return (k, output, a, b) -> BinaryOps.apply(k, output, op, a, b);
  }

  private OpDef op() {
    return OpDef.named(name).args("x1", "x2").rule(this::type).legalizer(this::legalize).build();
  }

  private Type type(OpCall call) {
    List<Operand> operands = List.of(operand(call, 0), operand(call, 1));
    Optional<DType> same = ElementTypes.same(call, operands);
    Optional<DType> dtype = givesBool ? Optional.of(DType.BOOL) : same;
    boolean scalars = call.type(0) instanceof PrimType && call.type(1) instanceof PrimType;
    return scalars ? new PrimType(dtype.orElseThrow()) : Broadcast.type(call, operands, dtype);
  }

  private Operand operand(OpCall call, int index) {
    Operand operand = Operand.ofNumber(call, index);
    if (!operand.type().dtype().map(domain.dtypes::test).orElse(true)) {
      throw call.wrong(index, "of " + domain.text);
    }
    return operand;
  }

  private Expr legalize(OpCall call, KernelCalls kernels) {
    if (call.call().type() instanceof PrimType) {
      return folded(call);
    }
    // A constant stands in the kernel; a kernel of constants only keeps one as its argument.
    Optional<PrimExpr> right = ScalarArgs.constant(call, 1);
    Optional<PrimExpr> left = right.isPresent() ? Optional.empty() : ScalarArgs.constant(call, 0);
    List<Expr> args = new ArrayList<>();
    if (left.isEmpty()) {
      args.add(call.arg(0));
    }
    if (right.isEmpty()) {
      args.add(call.arg(1));
    }
    return kernels.call(
        name,
        args,
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                body.of(
                    k,
                    "T_" + name,
                    operand(k, in, call, 0, left),
                    operand(k, in, call, 1, right))));
  }

  private static TensorExpr operand(
      KernelBuilder k, KernelInputs in, OpCall call, int index, Optional<PrimExpr> constant) {
    int input = Math.min(index, in.size() - 1);
    if (constant.isPresent()) {
      return CreationOps.scalar(k, call.op().argName(index), constant.get());
    }
    return call.type(index) instanceof PrimType
        ? CreationOps.scalar(k, call.op().argName(index), in.scalar(input))
        : in.tensor(input);
  }

  /** The result of two scalars as an expression, where there is one. */
  private Expr folded(OpCall call) {
    Optional<PrimExpr> a = call.value(0);
    Optional<PrimExpr> b = call.value(1);
    if (a.isEmpty() || b.isEmpty() || scalar.isEmpty() || isZero(b.get())) {
      return call.call();
    }
    return new PrimValue(call.analyzer().simplify(Exprs.binary(scalar.get(), a.get(), b.get())));
  }

  private boolean isZero(PrimExpr divisor) {
    boolean divides =
        switch (scalar.orElseThrow()) {
          case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
          default -> false;
        };
    return divides
        && !(divisor instanceof IntImm known && known.value() != 0)
        && !(divisor instanceof FloatImm);
  }
}
