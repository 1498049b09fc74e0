package org.relaxvm.tir.op.serial;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Random numbers that are a function of a seed and of the position of the element: the cipher
 * Threefry-2x32 of 20 rounds, applied to the position. All devices give the same bits; functions
 * such as logarithms may differ in the last ones.
 */
public final class RandomOps {
  private static final long MASK = 0xFFFF_FFFFL;
  private static final long PARITY = 0x1BD1_1BDAL;
  private static final int[] ROTATIONS = {13, 15, 26, 6, 17, 29, 16, 24};
  private static final int ROUNDS = 20;

  /** The bits of a float32 in [0, 1) and of what a float64 has more of them. */
  private static final int FLOAT_BITS = 24;

  private static final int DOUBLE_BITS = 53;

  private RandomOps() {}

  /**
   * Numbers that are distributed evenly in {@code [low, high)}; rounding to a narrow dtype may give
   * {@code high}.
   *
   * @param dtype a float dtype; up to float32 numbers have 24 random bits, in float64 53
   */
  public static TensorExpr uniform(
      KernelBuilder k,
      String name,
      List<PrimExpr> shape,
      DType dtype,
      long seed,
      double low,
      double high) {
    requireFloat("random_uniform", dtype);
    DType wide = Arith.wide(dtype);
    return elements(
        k,
        name,
        shape,
        dtype,
        seed,
        (x0, x1) -> {
          PrimExpr unit =
              wide.equals(DType.FLOAT64)
                  ? unit(
                      wide,
                      Exprs.add(Exprs.mul(shifted(x0, 5), 1L << 26), shifted(x1, 6)),
                      DOUBLE_BITS)
                  : unit(wide, shifted(x0, 8), FLOAT_BITS);
          return Exprs.add(Exprs.mul(unit, Arith.of(wide, high - low)), Arith.of(wide, low));
        });
  }

  /** Numbers that are distributed normally, by the transform of Box and Muller. */
  public static TensorExpr normal(
      KernelBuilder k,
      String name,
      List<PrimExpr> shape,
      DType dtype,
      long seed,
      double mean,
      double deviation) {
    requireFloat("random_normal", dtype);
    DType wide = Arith.wide(dtype);
    int bits = wide.equals(DType.FLOAT64) ? 32 : FLOAT_BITS;
    return elements(
        k,
        name,
        shape,
        dtype,
        seed,
        (x0, x1) -> {
          // Half a step above 0, so that the logarithm is finite.
          PrimExpr radius =
              Exprs.mul(
                  Exprs.add(Exprs.cast(wide, shifted(x0, 32 - bits)), Arith.of(wide, 0.5)),
                  Arith.of(wide, Math.scalb(1.0, -bits)));
          PrimExpr angle =
              Exprs.mul(unit(wide, shifted(x1, 32 - bits), bits), Arith.of(wide, 2 * Math.PI));
          PrimExpr number =
              Exprs.mul(
                  Exprs.call(Intrinsic.SQRT, Exprs.mul(Arith.log(radius), Arith.of(wide, -2))),
                  Exprs.call(Intrinsic.COS, angle));
          return Exprs.add(Exprs.mul(number, Arith.of(wide, deviation)), Arith.of(wide, mean));
        });
  }

  private static void requireFloat(String op, DType dtype) {
    Check.that(
        dtype.isFloat() && !dtype.isFloat8(), op, "expected a float dtype, but got " + dtype);
  }

  /** A number from 32 random bits each. */
  private interface Number {
    PrimExpr of(PrimExpr x0, PrimExpr x1);
  }

  private static TensorExpr elements(
      KernelBuilder k, String name, List<PrimExpr> shape, DType dtype, long seed, Number number) {
    Buffer out = Buffer.of(name, dtype, shape);
    Buffer x0 = Lines.local("x0", DType.INT64);
    Buffer x1 = Lines.local("x1", DType.INT64);
    Stmt body =
        Lines.block(
            name + "_element",
            shape,
            List.of(x0, x1),
            at -> {
              PrimExpr position = Exprs.rowMajorOffset(at, shape);
              List<Stmt> stmts = new ArrayList<>(rounds(x0, x1, position, seed));
              stmts.add(
                  new BufferStore(out, Exprs.cast(dtype, number.of(x0.load(), x1.load())), at));
              return Lines.seq(stmts.toArray(Stmt[]::new));
            });
    return k.points(List.of(out), body).getFirst();
  }

  /** Words of 32 bits in int64, so that devices without unsigned integers compute the same. */
  private static List<Stmt> rounds(Buffer x0, Buffer x1, PrimExpr position, long seed) {
    long low = seed & MASK;
    long high = seed >>> Integer.SIZE;
    long[] keys = {low, high, low ^ high ^ PARITY};
    List<Stmt> stmts = new ArrayList<>();
    stmts.add(Lines.set(x0, masked(Exprs.add(masked(position), keys[0]))));
    stmts.add(Lines.set(x1, masked(Exprs.add(masked(shifted(position, 32)), keys[1]))));
    for (int round = 0; round < ROUNDS; round++) {
      int rotation = ROTATIONS[round % ROTATIONS.length];
      stmts.add(Lines.set(x0, masked(Exprs.add(x0.load(), x1.load()))));
      PrimExpr rotated =
          Exprs.call(
              Intrinsic.BITWISE_OR,
              masked(Exprs.mul(x1.load(), 1L << rotation)),
              shifted(x1.load(), Integer.SIZE - rotation));
      stmts.add(Lines.set(x1, Exprs.call(Intrinsic.BITWISE_XOR, rotated, x0.load())));
      if (round % 4 == 3) {
        int group = round / 4 + 1;
        stmts.add(Lines.set(x0, masked(Exprs.add(x0.load(), keys[group % 3]))));
        stmts.add(Lines.set(x1, masked(Exprs.add(x1.load(), keys[(group + 1) % 3] + group))));
      }
    }
    return stmts;
  }

  private static PrimExpr masked(PrimExpr word) {
    return Exprs.call(Intrinsic.BITWISE_AND, word, IntImm.of(MASK));
  }

  private static PrimExpr shifted(PrimExpr word, int bits) {
    return bits == 0 ? word : Exprs.call(Intrinsic.SHIFT_RIGHT, word, IntImm.of(bits));
  }

  private static PrimExpr unit(DType wide, PrimExpr bits, int count) {
    return Exprs.mul(Exprs.cast(wide, bits), Arith.of(wide, Math.scalb(1.0, -count)));
  }
}
