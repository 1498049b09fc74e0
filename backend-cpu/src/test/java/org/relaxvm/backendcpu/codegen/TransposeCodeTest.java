package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Generated code of transposes, scheduled in tiles, compared with the evaluator. */
class TransposeCodeTest {
  private static final long[][][] SHAPES = {
    {
      {0, 5},
      {1, 1},
      {100, 1},
      {7, 100},
      {32, 33},
      {33, 100},
      {65, 130},
      {130, 65},
      {17, 1100},
      {1100, 17}
    },
    {{3, 0, 4}, {1, 32, 65}, {3, 33, 17}},
    {{2, 3, 0, 4}, {2, 1, 33, 17}, {33, 3, 2, 9}},
  };

  private static final KernelCompiler VECTORS =
      new KernelCompiler(VectorOperations.of(VectorChoice.get()), CpuSchedule::of);

  private static final KernelCompiler SCALARS =
      new KernelCompiler(Optional.empty(), CpuSchedule::of);

  private static final List<DType> DTYPES =
      List.of(DType.BOOL, DType.INT8, DType.FLOAT16, DType.INT32, DType.FLOAT32, DType.FLOAT64);

  static Stream<List<Integer>> permutations() {
    return Stream.of(2, 3, 4).flatMap(rank -> permutations(List.of(), rank).stream());
  }

  private static List<List<Integer>> permutations(List<Integer> start, int rank) {
    if (start.size() == rank) {
      return List.of(start);
    }
    List<List<Integer>> all = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      if (!start.contains(axis)) {
        List<Integer> longer = new ArrayList<>(start);
        longer.add(axis);
        all.addAll(permutations(longer, rank));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("permutations")
  void movesAxes(List<Integer> permutation) {
    for (DType dtype : DTYPES) {
      PrimFunc kernel = permuted(dtype, permutation);
      for (long[] shape : SHAPES[permutation.size() - 2]) {
        check(kernel, shape);
      }
    }
  }

  private static PrimFunc permuted(DType dtype, List<Integer> permutation) {
    KernelBuilder kernel = new KernelBuilder("permuted");
    List<Var> extents = new ArrayList<>();
    for (int axis = 0; axis < permutation.size(); axis++) {
      extents.add(kernel.extent("n" + axis));
    }
    TensorExpr x = kernel.input("X", dtype, extents);
    List<Var> shape = permutation.stream().map(extents::get).toList();
    return kernel.build(
        kernel.compute(
            "Y",
            shape,
            i -> {
              PrimExpr[] place = new PrimExpr[permutation.size()];
              for (int axis = 0; axis < place.length; axis++) {
                place[permutation.get(axis)] = i.get(axis);
              }
              return x.at(List.of(place));
            }));
  }

  @Test
  void fusesWithArithmetic() {
    PrimFunc kernel = exponential();
    for (long[] shape : SHAPES[0]) {
      check(kernel, shape);
    }
  }

  /** exp(x transposed) + y. */
  private static PrimFunc exponential() {
    KernelBuilder kernel = new KernelBuilder("exponential");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));
    TensorExpr y = kernel.input("Y", DType.FLOAT32, List.of(m, n));
    return kernel.build(
        kernel.compute(
            "Z",
            List.of(m, n),
            i ->
                Exprs.add(
                    Exprs.call(Intrinsic.EXP, x.at(i.get(1), i.get(0))),
                    y.at(i.get(0), i.get(1)))));
  }

  @Test
  void turnsEachOperandOnce() {
    KernelBuilder kernel = new KernelBuilder("operands");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));
    TensorExpr y = kernel.input("Y", DType.FLOAT16, List.of(n, m));
    PrimFunc built =
        kernel.build(
            kernel.compute(
                "Z",
                List.of(m, n),
                i -> {
                  PrimExpr a = x.at(i.get(1), i.get(0));
                  PrimExpr b = Exprs.cast(DType.FLOAT32, y.at(i.get(1), i.get(0)));
                  return Exprs.sub(Exprs.mul(a, a), b);
                }));
    assertThat(turns(built)).isEqualTo(2);
    for (long[] shape : SHAPES[0]) {
      check(built, shape);
    }
  }

  @Test
  void readsNothingThatAConditionForbids() {
    KernelBuilder kernel = new KernelBuilder("padded");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));
    PrimFunc built =
        kernel.build(
            kernel.compute(
                "Y",
                List.of(Exprs.add(m, 2), n),
                i ->
                    Exprs.ifThenElse(
                        Exprs.lt(Exprs.add(i.get(0), i.get(1)), m),
                        x.at(i.get(1), i.get(0)),
                        new FloatImm(DType.FLOAT32, 0))));
    assertThat(turns(built)).isZero();
    check(built, new long[] {33, 34});
  }

  @Test
  void copiesOfTilesNeedNoMemory() {
    PrimFunc kernel = permuted(DType.FLOAT32, List.of(0, 3, 1, 2));
    assertThat(turns(kernel)).isEqualTo(1);
    assertThat(count(Lowering.of(CpuSchedule.of(kernel).kernel()).body(), Node.Allocate.class))
        .isZero();
    assertThat(turns(exponential())).isEqualTo(1);
    assertThat(
            count(Lowering.of(CpuSchedule.of(exponential()).kernel()).body(), Node.Allocate.class))
        .isEqualTo(1);
  }

  @Test
  void turnsMatricesOfKnownExtents() {
    for (long columns : new long[] {1, 31, 32, 64, 100}) {
      KernelBuilder kernel = new KernelBuilder("known");
      List<IntImm> shape = List.of(IntImm.of(96), IntImm.of(columns));
      TensorExpr x = kernel.input("X", DType.INT16, shape);
      check(
          kernel.build(kernel.compute("Y", shape.reversed(), i -> x.at(i.get(1), i.get(0)))),
          new long[0]);
    }
  }

  private static long turns(PrimFunc kernel) {
    return count(Lowering.of(CpuSchedule.of(kernel).kernel()).body(), Node.Transpose.class);
  }

  private static long count(Node node, Class<? extends Node> type) {
    return (type.isInstance(node) ? 1 : 0)
        + node.children().stream().mapToLong(child -> count(child, type)).sum();
  }

  /** Compares what a kernel writes into its last argument. */
  private static void check(PrimFunc kernel, long[] extents) {
    List<Tensor> args = new ArrayList<>();
    Map<Var, Long> known = new HashMap<>();
    for (var buffer : kernel.buffers()) {
      long[] shape =
          buffer.shape().stream().mapToLong(extent -> value(extent, known, extents)).toArray();
      args.add(random(buffer.dtype(), Shape.of(shape), args.size()));
    }
    Tensor given = args.getLast();
    Tensor expected = Tensor.zeros(given.dtype(), given.shape());
    args.set(args.size() - 1, expected);
    new Evaluator().run(kernel, args);
    for (KernelCompiler compiler : List.of(VECTORS, SCALARS)) {
      Tensor actual = Tensor.zeros(given.dtype(), given.shape());
      args.set(args.size() - 1, actual);
      compiler.compile(kernel, name -> Optional.empty()).invoke(args.toArray());
      if (kernel.name().equals("exponential")) {
        float[] numbers = actual.toFloatArray();
        float[] others = expected.toFloatArray();
        for (int i = 0; i < numbers.length; i++) {
          assertThat(numbers[i]).isCloseTo(others[i], org.assertj.core.data.Offset.offset(1e-6f));
        }
      } else {
        assertThat(memory(actual).mismatch(memory(expected))).isEqualTo(-1);
      }
    }
  }

  private static long value(PrimExpr extent, Map<Var, Long> known, long[] extents) {
    return switch (extent) {
      case IntImm constant -> constant.value();
      case Var var -> known.computeIfAbsent(var, v -> extents[known.size()]);
      case org.relaxvm.tir.expr.Binary sum ->
          value(sum.a(), known, extents) + value(sum.b(), known, extents);
      default -> throw new AssertionError(extent);
    };
  }

  private static MemorySegment memory(Tensor tensor) {
    return HostDevice.segmentOf(tensor.storage().memory())
        .asSlice(tensor.byteOffset(), tensor.shape().elementCount() * bytes(tensor));
  }

  private static int bytes(Tensor tensor) {
    return tensor.dtype().elementByteSize();
  }

  private static Tensor random(DType dtype, Shape shape, int seed) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    MemorySegment memory = memory(tensor);
    Random random = new Random(seed);
    for (long i = 0; i < shape.elementCount(); i++) {
      if (dtype.equals(DType.FLOAT32)) {
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextFloat());
      } else if (dtype.equals(DType.FLOAT64)) {
        memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, random.nextDouble());
      } else if (dtype.equals(DType.FLOAT16)) {
        memory.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(random.nextFloat()));
      } else {
        boolean truth = dtype.equals(DType.BOOL);
        for (int j = 0; j < bytes(tensor); j++) {
          byte value = (byte) (truth ? random.nextInt(2) : random.nextInt());
          memory.set(ValueLayout.JAVA_BYTE, i * bytes(tensor) + j, value);
        }
      }
    }
    return tensor;
  }
}
