package org.relaxvm.compiler.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.op.OpCalls.legalized;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.typeOf;
import static org.relaxvm.compiler.op.OpCalls.values;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.image.GridSamples;
import org.relaxvm.compiler.op.image.Images;
import org.relaxvm.compiler.op.image.Patches;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.compiler.op.image.Regions;
import org.relaxvm.compiler.op.image.Resampling;
import org.relaxvm.compiler.op.linear.Inverse;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.nn.Borders;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.DeformableColumns;
import org.relaxvm.compiler.op.nn.Dropout;
import org.relaxvm.compiler.op.nn.LinearAttention;
import org.relaxvm.compiler.op.nn.Losses;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.compiler.op.nn.Recurrent;
import org.relaxvm.compiler.op.nn.Unfold;
import org.relaxvm.compiler.op.reduce.Orderings;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.reduce.Scans;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.PatchOps.Windows;
import org.relaxvm.tir.op.image.RegionAttrs;
import org.relaxvm.tir.op.image.ResampleAttrs;
import org.relaxvm.tir.op.image.ResizeAttrs;
import org.relaxvm.tir.op.image.SampleAttrs;
import org.relaxvm.tir.verify.Verifier;

/** Each operator that is not element-wise, with each dtype, with no items and with any number. */
class OperatorKernelsTest {
  private static final List<DType> DTYPES =
      List.of(
          DType.FLOAT8_E4M3FN,
          DType.FLOAT16,
          DType.BFLOAT16,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.INT8,
          DType.UINT8,
          DType.INT32,
          DType.INT64,
          DType.BOOL);

  private static final Predicate<DType> FLOATS = ElementTypes::isFloat;
  private static final Predicate<DType> NUMBERS = ElementTypes::isNumber;
  private static final Predicate<DType> ANY = dtype -> true;

  /**
   * An operator.
   *
   * @param call of data of a dtype with a number of items
   */
  private record Case(Predicate<DType> dtypes, BiFunction<DType, Object, Call> call) {
    OpDef op() {
      return (OpDef) call.apply(DType.FLOAT32, 2).callee();
    }

    @Override
    public String toString() {
      return op().name();
    }
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cases.addAll(convolutions());
    cases.addAll(pools());
    cases.addAll(norms());
    cases.addAll(recurrent());
    cases.addAll(images());
    cases.addAll(others());
    for (OpDef op : Reductions.all()) {
      boolean floats = List.of("mean", "variance", "std").contains(op.name());
      cases.add(
          new Case(
              floats ? FLOATS : NUMBERS,
              (t, n) -> Call.of(op, List.of(tensor("x", t, n, 3)), Attrs.of("axis", 1))));
    }
    return cases;
  }

  private static List<Case> convolutions() {
    ConvOptions padded = ConvOptions.DEFAULT.withPadding(1);
    return List.of(
        new Case(
            NUMBERS,
            (t, n) ->
                Convolutions.conv1d(tensor("x", t, n, 2, 4), tensor("w", t, 3, 2, 3), padded)),
        new Case(
            NUMBERS,
            (t, n) ->
                Convolutions.conv2d(
                    tensor("x", t, n, 2, 4, 4),
                    tensor("w", t, 4, 1, 3, 3),
                    padded.withGroups(2).withStrides(2))),
        new Case(
            NUMBERS,
            (t, n) ->
                Convolutions.conv3d(
                    tensor("x", t, n, 2, 3, 3, 3), tensor("w", t, 3, 2, 2, 2, 2), padded)),
        new Case(
            NUMBERS,
            (t, n) ->
                Convolutions.conv1dTranspose(
                    tensor("x", t, n, 2, 4), tensor("w", t, 2, 3, 3), padded)),
        new Case(
            NUMBERS,
            (t, n) ->
                Convolutions.conv2dTranspose(
                    tensor("x", t, n, 2, 4, 4),
                    tensor("w", t, 2, 3, 3, 3),
                    padded.withStrides(2).withOutputPadding(1))),
        new Case(
            NUMBERS,
            (t, n) ->
                Convolutions.conv3dTranspose(
                    tensor("x", t, n, 2, 3, 3, 3), tensor("w", t, 2, 3, 2, 2, 2), padded)));
  }

  private static List<Case> pools() {
    PoolOptions options = PoolOptions.of(2).withStrides(2).withPadding(1).withCeilMode();
    return List.of(
        new Case(NUMBERS, (t, n) -> Pools.maxPool1d(tensor("x", t, n, 2, 5), options)),
        new Case(NUMBERS, (t, n) -> Pools.maxPool2d(tensor("x", t, n, 2, 5, 4), options)),
        new Case(NUMBERS, (t, n) -> Pools.maxPool3d(tensor("x", t, n, 2, 5, 4, 3), options)),
        new Case(NUMBERS, (t, n) -> Pools.maxPoolIndices(tensor("x", t, n, 2, 5), 1, options)),
        new Case(NUMBERS, (t, n) -> Pools.maxPoolIndices(tensor("x", t, n, 2, 5, 4), 2, options)),
        new Case(
            NUMBERS, (t, n) -> Pools.maxPoolIndices(tensor("x", t, n, 2, 5, 4, 3), 3, options)),
        new Case(FLOATS, (t, n) -> Pools.avgPool1d(tensor("x", t, n, 2, 5), options)),
        new Case(FLOATS, (t, n) -> Pools.avgPool2d(tensor("x", t, n, 2, 5, 4), options)),
        new Case(FLOATS, (t, n) -> Pools.avgPool3d(tensor("x", t, n, 2, 5, 4, 3), options)),
        new Case(FLOATS, (t, n) -> Pools.adaptiveAvgPool(tensor("x", t, n, 2, 5), List.of(2L))),
        new Case(
            FLOATS, (t, n) -> Pools.adaptiveAvgPool(tensor("x", t, n, 2, 5, 4), List.of(2L, 3L))),
        new Case(
            FLOATS,
            (t, n) -> Pools.adaptiveAvgPool(tensor("x", t, n, 2, 5, 4, 3), List.of(2L, 3L, 1L))));
  }

  private static List<Case> norms() {
    List<Integer> last = List.of(-1);
    return List.of(
        new Case(
            FLOATS,
            (t, n) -> {
              RelaxVar c = tensor("c", t, 4);
              return Norms.batchNormTraining(tensor("x", t, n, 4, 3), c, c, c, c, 1e-5, 0.1);
            }),
        new Case(
            FLOATS,
            (t, n) -> {
              RelaxVar c = tensor("c", t, 4);
              return Norms.batchNorm(tensor("x", t, n, 4, 3), c, c, c, c, 1e-5);
            }),
        new Case(
            FLOATS,
            (t, n) ->
                Norms.layerNorm(
                    tensor("x", t, n, 4), tensor("g", t, 4), tensor("b", t, 4), last, 1e-5)),
        new Case(
            FLOATS, (t, n) -> Norms.rmsNorm(tensor("x", t, n, 4), tensor("w", t, 4), last, 1e-5)),
        new Case(
            FLOATS,
            (t, n) -> {
              RelaxVar c = tensor("c", t, 4);
              return Norms.groupNorm(tensor("x", t, n, 4, 3), c, c, 2, 1, last, 1e-5);
            }),
        new Case(
            FLOATS,
            (t, n) -> {
              RelaxVar c = tensor("c", t, 4);
              return Norms.instanceNorm(tensor("x", t, n, 4, 3), c, c, 1, last, 1e-5);
            }));
  }

  private static List<Case> recurrent() {
    return List.of(
        new Case(
            FLOATS,
            (t, n) ->
                Call.of(
                    Recurrent.RNN,
                    tensor("x", t, 3, n, 2),
                    tensor("r", t, 2, 2),
                    tensor("h", t, n, 2),
                    tensor("l", DType.INT32, n))),
        new Case(
            FLOATS,
            (t, n) ->
                Call.of(
                    Recurrent.GRU,
                    tensor("x", t, 3, n, 6),
                    tensor("r", t, 2, 6),
                    tensor("h", t, n, 2),
                    tensor("l", DType.INT32, n),
                    tensor("b", t, 2))),
        new Case(
            FLOATS,
            (t, n) ->
                Call.of(
                    Recurrent.LSTM,
                    tensor("x", t, 3, n, 8),
                    tensor("r", t, 2, 8),
                    tensor("h", t, n, 2),
                    tensor("l", DType.INT32, n),
                    tensor("c", t, n, 2),
                    tensor("p", t, 6))),
        new Case(
            FLOATS,
            (t, n) ->
                LinearAttention.linearAttention(
                    List.of(
                        tensor("q", t, n, 3, 4, 2),
                        tensor("k", t, n, 3, 2, 2),
                        tensor("v", t, n, 3, 2, 5),
                        tensor("s", t, n, 2, 2, 5)),
                    Optional.of(tensor("d", t, n, 3, 2, 1)),
                    Optional.of(tensor("e", t, n, 3, 1)),
                    1)));
  }

  private static List<Case> images() {
    ResampleAttrs linear =
        new ResampleAttrs(
            ResizeAttrs.Method.LINEAR,
            ResizeAttrs.Coordinates.HALF_PIXEL,
            ResizeAttrs.Rounding.FLOOR,
            -0.75,
            false,
            false,
            0);
    return List.of(
        new Case(
            NUMBERS,
            (t, n) ->
                Resampling.resample(
                    tensor("x", t, n, 3, 4),
                    List.of(1, 2),
                    ShapeExpr.of(5, 2),
                    linear,
                    Resampling.Given.NOTHING,
                    tensor("e", DType.FLOAT32, 0))),
        new Case(
            FLOATS,
            (t, n) ->
                GridSamples.gridSample(
                    tensor("x", t, n, 2, 3, 4),
                    tensor("g", t, n, 2, 5, 2),
                    2,
                    new SampleAttrs(
                        SampleAttrs.Method.BILINEAR, SampleAttrs.Padding.ZEROS, false))),
        new Case(
            FLOATS,
            (t, n) ->
                Regions.roiAlign(
                    tensor("x", t, 2, 3, 4, 5),
                    tensor("r", t, n, 5),
                    new RegionAttrs(
                        List.of(2L, 3L), 1, 2, true, "NCHW", RegionAttrs.Mode.MAX_NEIGHBOR))),
        new Case(
            FLOATS,
            (t, n) ->
                Regions.roiPool(
                    tensor("x", t, 2, 3, 4, 5), tensor("r", t, n, 5), List.of(2L, 3L), 1)),
        new Case(
            NUMBERS,
            (t, n) ->
                Patches.columnsToImage(
                    tensor("x", t, n, 2, 6, 12),
                    ShapeExpr.of(5, 4),
                    ShapeExpr.of(3, 2),
                    new Windows(List.of(2L, 1L), List.of(1L, 0L, 1L, 1L), List.of(1L, 1L)))),
        new Case(
            ANY,
            (t, n) ->
                Borders.pad(
                    tensor("x", t, n, 3),
                    List.of(IntImm.of(2), IntImm.of(-1)),
                    List.of(IntImm.of(0), IntImm.of(4)),
                    tensor("v", t))),
        new Case(
            ANY,
            (t, n) ->
                Borders.pad(
                    tensor("x", t, n, 3),
                    List.of(IntImm.of(0), IntImm.of(-1)),
                    List.of(IntImm.of(0), IntImm.of(4)),
                    "reflect")));
  }

  private static List<Case> others() {
    return List.of(
        new Case(FLOATS, (t, n) -> AxisActivations.softmax(tensor("x", t, n, 3), -1)),
        new Case(FLOATS, (t, n) -> AxisActivations.logSoftmax(tensor("x", t, n, 3), -1)),
        new Case(
            FLOATS, (t, n) -> AxisActivations.prelu(tensor("x", t, n, 3), tensor("a", t, 3), 1)),
        new Case(FLOATS, (t, n) -> Dropout.dropout(tensor("x", t, n, 3), 0.5)),
        new Case(FLOATS, (t, n) -> Linear.determinant(tensor("x", t, n, 3, 3))),
        new Case(
            FLOATS,
            (t, n) ->
                DeformableColumns.deformableColumns(
                    tensor("x", t, n, 2, 4, 4),
                    tensor("o", t, n, 8, 3, 3),
                    Optional.of(tensor("m", t, n, 4, 3, 3)),
                    PoolOptions.of(2, 2),
                    1)),
        new Case(
            FLOATS,
            (t, n) ->
                Attention.attention(
                    tensor("q", t, n, 5, 4, 2),
                    tensor("k", t, n, 3, 2, 2),
                    tensor("v", t, n, 3, 2, 2))),
        new Case(
            FLOATS,
            (t, n) ->
                Call.of(
                    Attention.ATTENTION_BIAS,
                    tensor("q", t, n, 5, 4, 2),
                    tensor("k", t, n, 3, 2, 2),
                    tensor("v", t, n, 3, 2, 2),
                    tensor("b", t, 1, 1, 5, 3))),
        new Case(
            FLOATS,
            (t, n) -> Losses.crossEntropyWithLogits(tensor("x", t, n, 3), tensor("y", t, n, 3))),
        new Case(
            FLOATS,
            (t, n) -> Call.of(Losses.NLL_LOSS, tensor("x", t, n, 3), tensor("y", DType.INT32, n))),
        new Case(ANY, (t, n) -> Padding.pad(tensor("x", t, n, 3), List.of(1L, 2L, 0L, 1L), 0)),
        new Case(ANY, (t, n) -> Padding.pixelShuffle(tensor("x", t, n, 4, 2, 2), 2)),
        new Case(ANY, (t, n) -> Padding.batchFlatten(tensor("x", t, n, 4, 2))),
        new Case(
            t -> NUMBERS.test(t) || t.isFloat8(),
            (t, n) -> Linear.matmul(tensor("a", t, n, 3), tensor("b", t, 3, 2))),
        new Case(FLOATS, (t, n) -> Inverse.inverse(tensor("x", t, n, 3, 3))),
        new Case(NUMBERS, (t, n) -> Linear.outer(tensor("a", t, n), tensor("b", t, 3))),
        new Case(
            NUMBERS,
            (t, n) -> Linear.einsum("ij,jk->ik", tensor("a", t, n, 3), tensor("b", t, 3, 2))),
        new Case(NUMBERS, (t, n) -> Orderings.sort(tensor("x", t, n, 3), -1, false)),
        new Case(
            NUMBERS, (t, n) -> Orderings.argsort(tensor("x", t, n, 3), -1, false, DType.INT32)),
        new Case(NUMBERS, (t, n) -> Orderings.topk(tensor("x", t, n, 3), 2, -1, true, DType.INT32)),
        new Case(NUMBERS, (t, n) -> Scans.cumsum(tensor("x", t, n, 3), -1)),
        new Case(NUMBERS, (t, n) -> Scans.cumprod(tensor("x", t, n, 3), -1)),
        new Case(
            FLOATS,
            (t, n) ->
                Scans.multinomialFromUniform(
                    tensor("p", t, 2, 3),
                    tensor("u", t, n, 1),
                    tensor("i", DType.INT64, n, 1),
                    DType.INT64)),
        new Case(
            NUMBERS,
            (t, n) -> Call.of(Images.RESIZE2D, tensor("x", t, n, 2, 3, 3), ShapeExpr.of(4, 5))),
        new Case(
            NUMBERS,
            (t, n) ->
                Call.of(Images.RESIZE3D, tensor("x", t, n, 2, 3, 3, 3), ShapeExpr.of(4, 5, 6))),
        new Case(
            FLOATS,
            (t, n) ->
                Quantization.quantize(
                    tensor("x", t, n, 3),
                    tensor("s", t, 3),
                    tensor("z", DType.INT8),
                    1,
                    DType.INT8)),
        new Case(
            NUMBERS,
            (t, n) ->
                Quantization.dequantize(
                    tensor("x", t, n, 3),
                    tensor("s", DType.FLOAT32, 3),
                    tensor("z", DType.INT8),
                    1,
                    DType.FLOAT32)),
        new Case(
            ANY,
            (t, n) ->
                Unfold.unfold(tensor("x", t, n, 2, 5), List.of(2L), List.of(1L), List.of(2L))));
  }

  @Test
  void eachOperatorHasACase() {
    assertThat(cases().stream().map(Case::op).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    Convolutions.all(),
                    Pools.all(),
                    Norms.all(),
                    AxisActivations.all(),
                    Dropout.all(),
                    DeformableColumns.all(),
                    Attention.all(),
                    LinearAttention.all(),
                    Recurrent.all(),
                    Losses.all(),
                    Padding.all(),
                    Unfold.all(),
                    Linear.all(),
                    Inverse.all(),
                    Reductions.all(),
                    Orderings.all(),
                    Scans.all(),
                    Images.all(),
                    Resampling.all(),
                    GridSamples.all(),
                    Regions.all(),
                    Patches.all(),
                    Borders.all(),
                    Quantization.all())
                .flatMap(List::stream)
                .filter(op -> !op.equals(Attention.ATTENTION_VAR_LEN))
                .toList());
  }

  static Stream<Arguments> dtypes() {
    return cases().stream().flatMap(one -> DTYPES.stream().map(dtype -> Arguments.of(one, dtype)));
  }

  @ParameterizedTest
  @MethodSource("dtypes")
  void hasAKernelForEachDtypeThatTheRuleTakes(Case one, DType dtype) {
    Call call = one.call().apply(dtype, 2);
    if (one.dtypes().test(dtype)) {
      check(call);
    } else {
      assertThatThrownBy(() -> typeOf(call))
          .isInstanceOf(InvalidProgramException.class)
          .hasMessageStartingWith(one.op().name() + ": ")
          .hasMessageContaining("must be a tensor of ");
    }
  }

  static Stream<Case> all() {
    return cases().stream();
  }

  @ParameterizedTest
  @MethodSource("all")
  void hasAKernelForNoItems(Case one) {
    check(one.call().apply(DType.FLOAT32, 0));
  }

  @ParameterizedTest
  @MethodSource("all")
  void hasAKernelForAnyNumberOfItems(Case one) {
    check(one.call().apply(DType.FLOAT32, Var.index("n"))).forEach(Verifier::verify);
  }

  /** The kernels that compute a call; their outputs are what the rule says. */
  private static List<PrimFunc> check(Call call) {
    IRModule module = legalized(call);
    List<PrimFunc> kernels = new ArrayList<>();
    for (Expr value : values(module)) {
      if (value instanceof Call made) {
        assertThat(made.isOf("call_tir")).as("%s", made).isTrue();
        PrimFunc kernel = OpCalls.kernel(module, made);
        assertThat(outputs(kernel, made)).containsExactlyElementsOf(texts(made.type()));
        kernels.add(kernel);
      }
    }
    assertThat(kernels).isNotEmpty();
    assertThat(OpCalls.main(module).resultType()).hasToString(typeOf(call).toString());
    return kernels;
  }

  private static List<String> outputs(PrimFunc kernel, Call made) {
    List<String> all =
        kernel.params().stream()
            .filter(Param.OfBuffer.class::isInstance)
            .map(param -> ((Param.OfBuffer) param).buffer())
            .map(OperatorKernelsTest::text)
            .toList();
    return all.subList(all.size() - texts(made.type()).size(), all.size());
  }

  private static String text(Buffer buffer) {
    return TensorType.of(buffer.dtype(), buffer.shape()).toString();
  }

  private static List<String> texts(Type type) {
    return type instanceof TupleType(var fields)
        ? fields.stream().map(Type::toString).toList()
        : List.of(type.toString());
  }
}
