package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.backendcpu.micro.MachineMatmul;
import org.relaxvm.backendcpu.vector.conv.ConvolutionKernel;
import org.relaxvm.backendcpu.vector.gemm.GemmKernel;
import org.relaxvm.backendcpu.vector.gemm.ProductConvolution;

/** Each way to compute a product or a convolution adds a residual, before the activation. */
@ParameterizedClass
@MethodSource("kernels")
class ResidualKernelsTest {
  private static final List<DType> DTYPES =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16, DType.INT32, DType.INT8);

  private final CpuKernel matmul;
  private final CpuKernel conv2d;
  private final Random random = Kernels.random(ResidualKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  ResidualKernelsTest(String name, CpuKernel matmul, CpuKernel conv2d) {
    this.matmul = matmul;
    this.conv2d = conv2d;
  }

  static List<Arguments> kernels() {
    GemmKernel twelve = GemmKernel.ofTwelveRows();
    GemmKernel six = GemmKernel.ofSixRows();
    ConvolutionKernel eight = ConvolutionKernel.ofEightRows(new ProductConvolution(twelve));
    ConvolutionKernel few = ConvolutionKernel.ofSixRows(new ProductConvolution(six));
    CpuKernel fewResiduals = call -> few.run(Convolution.ofResidual(call));
    List<Arguments> kernels =
        new ArrayList<>(
            List.of(
                Arguments.of(
                    "portable",
                    (CpuKernel) MatmulKernel::runResidual,
                    (CpuKernel) Conv2dKernel::runResidual),
                Arguments.of(
                    "many registers",
                    twelve.ofResiduals(),
                    (CpuKernel) call -> eight.run(Convolution.ofResidual(call))),
                Arguments.of("few registers", six.ofResiduals(), fewResiduals)));
    Kernels.machineCode()
        .forEach(
            (name, features) -> {
              CpuKernel matmul = MachineMatmul.of(features).residuals(MatmulKernel::runResidual);
              kernels.add(Arguments.of(name, matmul, fewResiduals));
            });
    return kernels;
  }

  @Test
  void productsOfAllSizesAddTheResidual() {
    long[][] sizes = {
      {1, 40, 300},
      {3, 300, 17},
      {300, 30, 2},
      {20, 64, 64},
      {13, 33, 9},
      {130, 129, 140},
      {0, 3, 4},
    };
    for (long[] size : sizes) {
      for (DType dtype : DTYPES) {
        boolean transpose = random.nextBoolean();
        Shape right = transpose ? Shape.of(size[1], size[2]) : Shape.of(size[2], size[1]);
        Shape shape = Shape.of(2, size[0], size[1]);
        checkMatmul(
            tensors.values(dtype, Shape.of(2, size[0], size[2])),
            tensors.values(dtype, right),
            transpose,
            tensors.values(dtype, tensors.broadcastable(shape)),
            tensors.output(dtype, shape));
      }
    }
  }

  @Test
  void compactProductsAddTheResidualWhereverTheirRowsAre() {
    for (long m : new long[] {2, 12, 70}) {
      Shape shape = Shape.of(3, m, 64);
      checkMatmul(
          compact(DType.FLOAT32, Shape.of(3, m, 50)),
          compact(DType.FLOAT32, Shape.of(50, 64)),
          false,
          null,
          Tensor.zeros(DType.FLOAT32, shape));
    }
  }

  @Test
  void aProductOfNothingIsTheResidual() {
    Tensor residual = Tensor.of(new float[] {1, -2, 3, Float.NaN}, Shape.of(2, 2));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    call(
        matmul,
        "matmul_residual",
        Tensor.zeros(DType.FLOAT32, Shape.of(2, 0)),
        Tensor.zeros(DType.FLOAT32, Shape.of(0, 2)),
        null,
        residual,
        false,
        false,
        "none",
        out);
    assertThat(out.toFloatArray()).containsExactly(1, -2, 3, Float.NaN);
  }

  @Test
  void convolutionsAddTheResidual() {
    Object[][] cases = {
      // Channels, outputs, groups, image, window, stride, padding.
      {8, 40, 1, 14, 3, 1, 1},
      {8, 20, 2, 15, 3, 2, 1},
      {6, 6, 6, 12, 3, 1, 1},
      {16, 24, 1, 9, 1, 1, 0},
      {16, 24, 1, 17, 3, 1, 1},
      {4, 8, 1, 5, 5, 1, 2},
      {3, 5, 1, 6, 1, 2, 0},
    };
    for (Object[] row : cases) {
      for (DType dtype : DTYPES) {
        for (boolean constant : new boolean[] {false, true}) {
          int[] sizes = Arrays.stream(row).mapToInt(x -> (int) x).toArray();
          checkConvolution(args -> call(conv2d, "conv2d_residual", args), dtype, sizes, constant);
        }
      }
    }
  }

  /** As a device chooses: Winograd's transformation needs tiles of the widest vectors. */
  @Test
  void convolutionsOfManyChannelsAddTheResidual() {
    for (DType dtype : DTYPES) {
      int[] sizes = {16, 24, 1, 17, 3, 1, 1};
      checkConvolution(args -> Kernels.call("conv2d_residual", args), dtype, sizes, true);
      checkConvolution(args -> Kernels.call("conv2d_residual", args), dtype, sizes, false);
    }
  }

  private void checkConvolution(
      Consumer<@Nullable Object[]> kernel, DType dtype, int[] row, boolean constant) {
    long stride = row[5];
    long padding = row[6];
    long extent = (row[3] + 2 * padding - row[4]) / stride + 1;
    Tensor data = tensors.values(dtype, Shape.of(2, row[0], row[3], row[3]));
    Tensor weight = compact(dtype, Shape.of(row[1], row[0] / row[2], row[4], row[4]));
    if (constant) {
      weight.markConstant();
    }
    Tensor bias = random.nextBoolean() ? tensors.values(dtype, Shape.of(row[1])) : null;
    Shape shape = Shape.of(2, row[1], extent, extent);
    Tensor plain = Tensor.zeros(dtype.isFloat() ? DType.FLOAT64 : dtype, shape);
    boolean even = random.nextBoolean();
    Tensor residual = even ? compact(dtype, shape) : tensors.values(dtype, shape);
    Tensor out = even ? Tensor.zeros(dtype, shape) : tensors.output(dtype, shape);
    Object[] attributes = {
      Shape.of(stride, stride),
      Shape.of(padding, padding, padding, padding),
      Shape.of(1, 1),
      (long) row[2]
    };
    List<@Nullable Object> slow =
        new ArrayList<>(Arrays.asList(wide(data), wide(weight), bias == null ? null : wide(bias)));
    slow.addAll(Arrays.asList(attributes));
    slow.addAll(Arrays.asList("none", plain));
    call(Conv2dKernel::run, "conv2d", slow.toArray());
    List<@Nullable Object> fast = new ArrayList<>(Arrays.asList(data, weight, bias, residual));
    fast.addAll(Arrays.asList(attributes));
    fast.addAll(Arrays.asList("relu", out));
    kernel.accept(fast.toArray());
    // Winograd's transformation loses some digits.
    checkSum(out, plain, residual, Math.max(Expected.tolerance(dtype), dtype.isFloat() ? 2e-4 : 0));
  }

  private void checkMatmul(
      Tensor a, Tensor b, boolean transpose, @Nullable Tensor bias, Tensor out) {
    DType dtype = out.dtype();
    Tensor residual = tensors.values(dtype, out.shape());
    Tensor plain = Tensor.zeros(dtype.isFloat() ? DType.FLOAT64 : dtype, out.shape());
    call(
        MatmulKernel::run,
        "matmul",
        wide(a),
        wide(b),
        bias == null ? null : wide(bias),
        false,
        transpose,
        "none",
        plain);
    call(matmul, "matmul_residual", a, b, bias, residual, false, transpose, "relu", out);
    checkSum(out, plain, residual, Expected.tolerance(dtype));
  }

  private static void checkSum(Tensor out, Tensor plain, Tensor residual, double tolerance) {
    double[] x = plain.toDoubleArray();
    double[] y = residual.toDoubleArray();
    Expected.check(
        out,
        tolerance,
        at -> {
          double sum = Expected.element(x, out.shape(), at) + Expected.element(y, out.shape(), at);
          return Math.max(Expected.wrap(sum, out.dtype()), 0);
        });
  }

  /** In float64, so that what is expected is rounded once. */
  private static Tensor wide(Tensor tensor) {
    return tensor.dtype().isFloat() ? Tensor.of(tensor.toDoubleArray(), tensor.shape()) : tensor;
  }

  private Tensor compact(DType dtype, Shape shape) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    tensors.values(dtype, shape).copyInto(tensor);
    return tensor;
  }

  @Test
  void aResidualOfAnotherShapeIsRefused() {
    Tensor matrix = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    Tensor row = Tensor.zeros(DType.FLOAT32, Shape.of(2));
    assertThatThrownBy(
            () ->
                call(
                    matmul,
                    "matmul_residual",
                    matrix,
                    matrix,
                    null,
                    row,
                    false,
                    false,
                    "none",
                    Tensor.zeros(DType.FLOAT32, Shape.of(2, 2))))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "relaxvm.matmul_residual: argument #3 'residual' must be shape [2, 2] but is shape"
                + " [2]");
    Tensor image = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 2, 2));
    assertThatThrownBy(
            () ->
                call(
                    conv2d,
                    "conv2d_residual",
                    image,
                    Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 1, 1)),
                    null,
                    Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 1, 2)),
                    Shape.of(1, 1),
                    Shape.of(0, 0, 0, 0),
                    Shape.of(1, 1),
                    1L,
                    "none",
                    Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 2, 2))))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "relaxvm.conv2d_residual: argument #3 'residual' must be shape [1, 1, 2, 2] but is"
                + " shape [1, 1, 1, 2]");
  }

  private static void call(CpuKernel kernel, String name, @Nullable Object... args) {
    kernel.run(
        KernelCall.checked(
            KernelLibrary.standard().find("relaxvm." + name).orElseThrow(),
            CallArgs.of(args),
            CodeChoice.portable()));
  }
}
