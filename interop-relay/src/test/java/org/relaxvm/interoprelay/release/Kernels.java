package org.relaxvm.interoprelay.release;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.release.ReleasedConstant.Stored;

/** Kernels of integers, and executables that use them. */
public final class Kernels {
  /** The kernels in order of their indices. */
  public static final List<String> NAMES = List.of("add", "mul", "sub", "is_zero", "sum_all");

  public static final int ADD = 0;
  public static final int MUL = 1;
  public static final int SUB = 2;
  public static final int IS_ZERO = 3;

  /** Takes any number of tensors and adds them elementwise. */
  public static final int SUM_ALL = 4;

  private static final Map<String, PackedFunc> ALL =
      Map.of(
          "add", binary(Long::sum),
          "mul", binary((a, b) -> a * b),
          "sub", binary((a, b) -> a - b),
          "is_zero", Kernels::isZero,
          "sum_all", Kernels::sumAll);

  private Kernels() {}

  /** Finds a kernel. */
  public static Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  private static PackedFunc binary(LongBinaryOperator operator) {
    return (args, _) -> {
      args.requireCount("kernel(a, b, out)", 3);
      long[] a = args.tensorAt(0).toLongArray();
      long[] b = args.tensorAt(1).toLongArray();
      long[] out = new long[a.length];
      for (int i = 0; i < out.length; i++) {
        out[i] = operator.applyAsLong(a[i], b[b.length == 1 ? 0 : i]);
      }
      write(out, args.tensorAt(2));
    };
  }

  private static void isZero(CallArgs args, Object result) {
    args.requireCount("is_zero(a, out)", 2);
    boolean zero = args.tensorAt(0).toLongArray()[0] == 0;
    Tensor.of(new boolean[] {zero}, args.tensorAt(1).shape()).copyInto(args.tensorAt(1));
  }

  private static void sumAll(CallArgs args, Object result) {
    int inputs = args.count() - 1;
    Tensor out = args.tensorAt(inputs);
    long[] sum = new long[(int) out.elementCount()];
    for (int k = 0; k < inputs; k++) {
      long[] values = args.tensorAt(k).toLongArray();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values[values.length == 1 ? 0 : i];
      }
    }
    write(sum, out);
  }

  private static void write(long[] values, Tensor out) {
    Tensor.of(values, out.shape()).copyInto(out);
  }

  /** A version of an era. */
  public static String version(Era era) {
    return switch (era) {
      case R1 -> "0.6.1";
      case R2 -> "0.8.0";
      case R3 -> "0.9.0";
      case R4 -> "0.14.0";
    };
  }

  /** An executable of functions that use these kernels, on the host alone. */
  public static ReleasedExecutable executable(
      Era era, List<Tensor> constants, ReleasedFunction... functions) {
    boolean table = era == Era.R3 || era == Era.R4;
    List<ReleasedConstant> stored = new ArrayList<>();
    List<Integer> devices = new ArrayList<>();
    for (Tensor tensor : constants) {
      stored.add(new Stored(tensor));
      if (era != Era.R1) {
        devices.add(table ? 0 : 1);
      }
    }
    return new ReleasedExecutable(
        version(era),
        era,
        table ? List.of(new ReleasedDevice(1, 0, "")) : List.of(),
        table ? 0 : ReleasedInstruction.NONE,
        List.of(functions),
        stored,
        devices,
        NAMES,
        Map.of());
  }

  /** A tensor of int64. */
  public static Tensor longs(long... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
