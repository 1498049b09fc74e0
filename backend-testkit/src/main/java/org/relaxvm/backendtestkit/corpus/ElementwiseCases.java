package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Operators on single elements and pairs of them. */
final class ElementwiseCases {
  private static final String FUNCTIONS = "functions of devices differ in their last bits";

  private ElementwiseCases() {}

  private interface Unary {
    TensorExpr build(KernelBuilder k, String name, TensorExpr x);
  }

  private interface Pair {
    TensorExpr build(KernelBuilder k, String name, TensorExpr a, TensorExpr b);
  }

  static void addTo(CaseList list) {
    math(list);
    unary(list);
    activations(list);
    binary(list);
    comparisons(list);
    special(list);
  }

  private static void math(CaseList list) {
    Map<Intrinsic, Fill> ranges =
        Map.of(
            Intrinsic.ACOS, new Fill.Reals(-1, 1),
            Intrinsic.ASIN, new Fill.Reals(-1, 1),
            Intrinsic.ATANH, new Fill.Reals(-0.9, 0.9),
            Intrinsic.ACOSH, new Fill.Reals(1.1, 9),
            Intrinsic.LOG, new Fill.Reals(0.1, 9),
            Intrinsic.SQRT, new Fill.Reals(0, 9),
            Intrinsic.RSQRT, new Fill.Reals(0.1, 9),
            Intrinsic.TAN, new Fill.Reals(-1.2, 1.2));
    List<Intrinsic> inLibrary =
        List.of(
            Intrinsic.ACOS,
            Intrinsic.ACOSH,
            Intrinsic.ASIN,
            Intrinsic.ASINH,
            Intrinsic.ATAN,
            Intrinsic.ATANH,
            Intrinsic.COS,
            Intrinsic.COSH,
            Intrinsic.ERF,
            Intrinsic.EXP,
            Intrinsic.LOG,
            Intrinsic.RSQRT,
            Intrinsic.SIGMOID,
            Intrinsic.SIN,
            Intrinsic.SINH,
            Intrinsic.SQRT,
            Intrinsic.TAN,
            Intrinsic.TANH);
    for (Intrinsic function : inLibrary) {
      String name = function.text();
      Fill fill = ranges.getOrDefault(function, new Fill.Reals(-3, 3));
      list.add(
          name,
          CaseList.FLOATS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, fill, c.dim("n", 17, 0, 130));
            return c.tolerance(1e-5, 1e-2, FUNCTIONS)
                .library(name, "X, Y")
                .build(UnaryOps.math(c.k, "Y", function, x));
          });
    }
  }

  private static void one(
      CaseList list, String op, List<DType> dtypes, Unary build, String library) {
    list.add(
        op,
        dtypes,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1), c.dim("m", 17, 3, 33));
          CaseBuilder named = library.isEmpty() ? c : c.library(library, "X, Y");
          return named.build(build.build(c.k, "Y", x));
        });
  }

  private static void cast(CaseList list, List<DType> from, DType to) {
    list.add(
        "cast_to_" + to,
        from,
        (c, t) -> {
          Fill fill =
              t.isFloat() && !DTypes.isUnsigned(to)
                  ? new Fill.Given(0, -0.5, 2.5, 1e9, -1e9, Double.NaN, 300, -129.75)
                  : new Fill.Numbers(0, 127);
          TensorExpr x = c.input("X", t, fill, c.dim("n", 17, 0));
          return c.library("cast", "X, Y").build(UnaryOps.cast(c.k, "Y", x, to));
        });
  }

  /** All floats of 8 bits, and the floats around where they are rounded to another one. */
  private static void everyByte(CaseList list, Float8 format) {
    double[] all = new double[256];
    List<Double> around = new ArrayList<>();
    for (int code = 0; code < 256; code++) {
      all[code] = format.toFloat((byte) code);
      float next = format.toFloat((byte) (code + 1));
      float middle = (float) ((all[code] + next) / 2);
      around.addAll(List.of((double) Math.nextDown(middle), (double) middle));
      around.addAll(List.of((double) Math.nextUp(middle), middle * 1.25));
    }
    DType dtype = format.dtype();
    CaseBuilder read = new CaseBuilder("every_" + dtype, true);
    TensorExpr bytes = read.input("X", dtype, new Fill.Given(all), read.dim("n", 256));
    list.add(
        read.exact()
            .library("cast", "X, Y")
            .build(UnaryOps.cast(read.k, "Y", bytes, DType.FLOAT32)));
    CaseBuilder written = new CaseBuilder("around_every_" + dtype, true);
    double[] values = around.stream().mapToDouble(Double::doubleValue).toArray();
    Fill fill = new Fill.Given(values);
    TensorExpr floats = written.input("X", DType.FLOAT32, fill, written.dim("n", values.length));
    list.add(
        written
            .exact()
            .library("cast", "X, Y")
            .build(UnaryOps.cast(written.k, "Y", floats, dtype)));
  }

  private static void unary(CaseList list) {
    one(list, "abs", CaseList.NUMBERS, UnaryOps::abs, "abs");
    one(list, "negative", CaseList.NUMBERS, UnaryOps::negative, "negative");
    one(list, "sign", CaseList.NUMBERS, UnaryOps::sign, "sign");
    one(list, "square", CaseList.NUMBERS, UnaryOps::square, "square");
    one(list, "round", CaseList.FLOATS, UnaryOps::round, "round");
    one(list, "ceil", CaseList.FLOATS, UnaryOps::ceil, "ceil");
    one(list, "floor", CaseList.FLOATS, UnaryOps::floor, "floor");
    one(list, "trunc", CaseList.FLOATS, UnaryOps::trunc, "trunc");
    one(list, "round_integers", CaseList.INTEGERS, UnaryOps::round, "");
    one(list, "bitwise_not", CaseList.INTEGERS, UnaryOps::bitwiseNot, "bitwise_not");
    one(list, "logical_not", CaseList.BOOL, UnaryOps::logicalNot, "logical_not");
    one(list, "logical_not_numbers", CaseList.NUMBERS, UnaryOps::logicalNot, "");
    one(list, "relu", CaseList.NUMBERS, ActivationOps::relu, "relu");
    for (DType to : CaseList.ALL) {
      cast(list, CaseList.ALL, to);
      cast(list, CaseList.FLOATS8, to);
    }
    for (DType to : CaseList.FLOATS8) {
      cast(list, CaseList.ALL, to);
      cast(list, CaseList.FLOATS8, to);
      everyByte(list, Float8.of(to).orElseThrow());
    }
    Fill odd =
        new Fill.Given(
            1, Double.NaN, Double.POSITIVE_INFINITY, -2, Double.NEGATIVE_INFINITY, 0, -0.0);
    Map<String, Unary> tests =
        Map.of("isnan", UnaryOps::isNan, "isinf", UnaryOps::isInf, "isfinite", UnaryOps::isFinite);
    tests.forEach(
        (op, build) ->
            list.add(
                op,
                CaseList.FLOATS,
                (c, t) -> {
                  TensorExpr x = c.input("X", t, odd, c.dim("n", 17, 0, 1));
                  return c.library(op, "X, Y").build(build.build(c.k, "Y", x));
                }));
    list.add(
        "clip",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 33, 0, 3));
          PrimExpr low = t.isFloat() ? new FloatImm(t, 1) : new IntImm(t, 1);
          PrimExpr high = t.isFloat() ? new FloatImm(t, 2.25) : new IntImm(t, 5);
          return c.library("clip", "X, 1, " + (t.isFloat() ? "2.25" : "5") + ", Y")
              .build(UnaryOps.clip(c.k, "Y", x, low, high));
        });
  }

  private static void activations(CaseList list) {
    Map<String, Unary> plain =
        Map.of(
            "silu", ActivationOps::silu,
            "gelu", ActivationOps::gelu,
            "gelu_tanh", ActivationOps::geluTanh,
            "selu", ActivationOps::selu);
    plain.forEach((op, build) -> activation(list, op, op, build, "X, Y"));
    activation(
        list,
        "leaky_relu",
        "leaky_relu",
        (k, name, x) -> ActivationOps.leakyRelu(k, name, x, 0.125),
        "X, 0.125, Y");
    activation(
        list,
        "softplus",
        "softplus",
        (k, name, x) -> ActivationOps.softplus(k, name, x, 2, 3.5),
        "X, 2, 3.5, Y");
    activation(list, "sigmoid_wide", "sigmoid", ActivationOps::sigmoid, "X, Y");
    list.add(
        "prelu",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr channels = c.dim("c", 3, 1, 5);
          TensorExpr x = c.input("X", t, c.dim("n", 2, 0), channels, c.dim("w", 5));
          TensorExpr alpha = c.input("alpha", t, channels);
          return c.build(ActivationOps.prelu(c.k, "Y", x, alpha, 1));
        });
  }

  private static void activation(
      CaseList list, String op, String library, Unary build, String args) {
    list.add(
        op,
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x =
              c.input("X", t, new Fill.Reals(-3, 3), c.dim("n", 3, 0), c.dim("m", 17, 33));
          return c.tolerance(1e-5, 1, FUNCTIONS)
              .library(library, args)
              .build(build.build(c.k, "Y", x));
        });
  }

  private static void pair(
      CaseList list, String op, List<DType> dtypes, Pair build, Fill right, String library) {
    list.add(
        op,
        dtypes,
        (c, t) -> {
          PrimExpr m = c.dim("m", 17, 3, 33);
          TensorExpr a = c.input("A", t, c.dim("n", 3, 0, 1), m);
          TensorExpr b = c.input("B", t, right, m);
          CaseBuilder named = library.isEmpty() ? c : c.library(library, "A, B, Y");
          return named.build(build.build(c.k, "Y", a, b));
        });
  }

  private static void binary(CaseList list) {
    Fill numbers = new Fill.Numbers(0, 16);
    List<DType> n = CaseList.NUMBERS;
    pair(list, "add", n, BinaryOps::add, numbers, "add");
    pair(list, "subtract", n, BinaryOps::subtract, numbers, "subtract");
    pair(list, "multiply", n, BinaryOps::multiply, numbers, "multiply");
    pair(list, "maximum", n, BinaryOps::maximum, numbers, "maximum");
    pair(list, "minimum", n, BinaryOps::minimum, numbers, "minimum");
    // Some divisors are 0.
    Fill divisors = new Fill.Given(3, 0, 2, 1, 5, 7);
    Fill rests = new Fill.Given(3, 2, 1, 5, 7);
    pair(list, "divide", CaseList.INTEGERS, BinaryOps::divide, divisors, "divide");
    pair(list, "divide", CaseList.FLOATS, BinaryOps::divide, divisors, "divide");
    pair(list, "floor_divide", n, BinaryOps::floorDivide, divisors, "floor_divide");
    pair(list, "mod", CaseList.INTEGERS, BinaryOps::mod, divisors, "mod");
    pair(list, "mod", CaseList.FLOATS, BinaryOps::mod, rests, "mod");
    pair(list, "floor_mod", CaseList.INTEGERS, BinaryOps::floorMod, divisors, "floor_mod");
    pair(list, "floor_mod", CaseList.FLOATS, BinaryOps::floorMod, rests, "floor_mod");
    pair(list, "power", n, BinaryOps::power, new Fill.Given(0, 1, 2, 3), "power");
    pair(list, "logical_and", CaseList.BOOL, BinaryOps::logicalAnd, numbers, "logical_and");
    pair(list, "logical_or", CaseList.BOOL, BinaryOps::logicalOr, numbers, "logical_or");
    pair(list, "logical_xor", CaseList.BOOL, BinaryOps::logicalXor, numbers, "logical_xor");
    Map<Intrinsic, String> bits =
        Map.of(
            Intrinsic.BITWISE_AND, "bitwise_and",
            Intrinsic.BITWISE_OR, "bitwise_or",
            Intrinsic.BITWISE_XOR, "bitwise_xor",
            Intrinsic.SHIFT_LEFT, "left_shift",
            Intrinsic.SHIFT_RIGHT, "right_shift");
    bits.forEach(
        (function, op) ->
            pair(
                list,
                op,
                CaseList.INTEGERS,
                (k, name, a, b) -> BinaryOps.bits(k, name, function, a, b),
                new Fill.Given(1, 0, 3, 7, 8, 63, 100),
                op));
    Pair atan2 = BinaryOps::atan2;
    Pair logAddExp = BinaryOps::logAddExp;
    Map.of("atan2", atan2, "log_add_exp", logAddExp)
        .forEach(
            (op, build) ->
                list.add(
                    op,
                    CaseList.FLOATS,
                    (c, t) -> {
                      PrimExpr m = c.dim("m", 17, 0, 33);
                      TensorExpr a = c.input("A", t, m);
                      TensorExpr b = c.input("B", t, IntImm.of(3), m);
                      return c.tolerance(1e-5, 1e-2, FUNCTIONS).build(build.build(c.k, "Y", a, b));
                    }));
    list.add(
        "ewise_fma",
        n,
        (c, t) -> {
          PrimExpr m = c.dim("m", 17, 0, 33);
          TensorExpr a = c.input("A", t, m);
          TensorExpr b = c.input("B", t, m);
          return c.build(BinaryOps.fusedMultiplyAdd(c.k, "Y", a, b, c.input("C", t, m)));
        });
  }

  private static void comparisons(CaseList list) {
    Map<BinaryOp, String> names =
        Map.of(
            BinaryOp.EQ, "equal",
            BinaryOp.NE, "not_equal",
            BinaryOp.LT, "less",
            BinaryOp.LE, "less_equal",
            BinaryOp.GT, "greater",
            BinaryOp.GE, "greater_equal");
    names.forEach(
        (op, name) ->
            pair(
                list,
                name,
                op == BinaryOp.EQ || op == BinaryOp.NE ? CaseList.ALL : CaseList.NUMBERS,
                (k, out, a, b) -> BinaryOps.apply(k, out, op, a, b),
                new Fill.Numbers(0, 3),
                name));
  }

  private static void special(CaseList list) {
    list.add(
        "add_scalar",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 17, 0, 3));
          TensorExpr s = CreationOps.scalar(c.k, "s", c.k.scalar("k", t));
          return c.build(BinaryOps.add(c.k, "Y", x, s));
        });
    list.add(
        "outer_sum",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr a = c.input("A", t, c.dim("n", 3, 0, 17), IntImm.of(1));
          TensorExpr b = c.input("B", t, IntImm.of(1), c.dim("m", 5, 33));
          return c.build(BinaryOps.add(c.k, "Y", a, b));
        });
  }
}
