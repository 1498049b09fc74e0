package org.relaxvm.compiler.op.create;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.ShapeArgs;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.serial.RandomOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Random numbers that are a function of a seed and of the position of the element: the same in each
 * call. Floats.
 */
public final class RandomNumbers {
  /** Distributed evenly from {@code low} up to {@code high}. */
  public static final OpDef UNIFORM = op("random_uniform", "low", "high", RandomOps::uniform);

  /** Distributed normally around {@code mean}. */
  public static final OpDef NORMAL = op("random_normal", "mean", "deviation", RandomOps::normal);

  /** A distribution with two parameters, of which the first is 0 and the second 1 if left out. */
  @FunctionalInterface
  private interface Distribution {
    TensorExpr of(
        KernelBuilder kernel,
        String name,
        List<PrimExpr> dims,
        DType dtype,
        long seed,
        double first,
        double second);
  }

  private static OpDef op(String name, String first, String second, Distribution distribution) {
    return OpDef.named(name)
        .args("shape")
        .attrs(
            AttrSpec.required("dtype", Kind.DTYPE),
            AttrSpec.required("seed", Kind.INTEGER),
            AttrSpec.of(first, Kind.REAL, 0.0),
            AttrSpec.of(second, Kind.REAL, 1.0))
        .rule(RandomNumbers::type)
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, inputs) ->
                            distribution.of(
                                k,
                                name,
                                inputs.resultDims(0),
                                inputs.resultType(0).dtype().orElseThrow(),
                                call.attrs().integer("seed").orElseThrow(),
                                call.attrs().real(first).orElseThrow(),
                                call.attrs().real(second).orElseThrow()))))
        .build();
  }

  private RandomNumbers() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(UNIFORM, NORMAL);
  }

  private static Type type(OpCall call) {
    DType dtype = call.attrs().dtype("dtype").orElseThrow();
    if (!ElementTypes.isFloat(dtype)) {
      throw call.typeError("dtype must be a float dtype of 16 bits or more, but is " + dtype);
    }
    return ShapeArgs.tensor(call, 0, call.attrs().dtype("dtype"));
  }

  /** Numbers in a shape that are distributed evenly from {@code low} up to {@code high}. */
  public static Call uniform(Expr shape, DType dtype, long seed, double low, double high) {
    return Call.of(
        UNIFORM,
        List.of(shape),
        Attrs.of("dtype", dtype).with("seed", seed).with("low", low).with("high", high));
  }

  /** Numbers in a shape that are distributed normally. */
  public static Call normal(Expr shape, DType dtype, long seed, double mean, double deviation) {
    return Call.of(
        NORMAL,
        List.of(shape),
        Attrs.of("dtype", dtype)
            .with("seed", seed)
            .with("mean", mean)
            .with("deviation", deviation));
  }
}
