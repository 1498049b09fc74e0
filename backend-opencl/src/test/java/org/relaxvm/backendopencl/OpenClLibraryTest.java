package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary;

/** When functions of the kernel library make kernels, and what they refuse. */
@NeedsOpenCl
class OpenClLibraryTest {
  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private OpenClDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @BeforeEach
  void open() {
    backend = new OpenClBackendProvider(faults::driver).open();
    device = (OpenClDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void nothingIsLeftOver() {
    stream.close();
    allocator.close();
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void oneKernelServesTensorsOfManyShapes() {
    assertThat(add(Shape.of(3), Shape.of(3), Shape.of(3))).containsOnly(2);
    assertThat(add(Shape.of(2, 4), Shape.of(2, 4), Shape.of(2, 4))).containsOnly(2).hasSize(8);
    assertThat(device.library().kernels()).as("lines").isEqualTo(1);
    assertThat(add(Shape.of(2, 3), Shape.of(3), Shape.of(2, 3))).containsOnly(2).hasSize(6);
    assertThat(add(Shape.of(5, 7), Shape.of(7), Shape.of(5, 7))).containsOnly(2).hasSize(35);
    assertThat(device.library().kernels()).as("rows, and one for all of them").isEqualTo(2);
  }

  @Test
  void channelsOfAConvolutionAreKnownAndImagesHaveAnySize() {
    assertThat(conv2d(6, 7)).containsOnly(9);
    assertThat(conv2d(20, 30)).containsOnly(9);
    assertThat(device.library().kernels()).isEqualTo(1);
  }

  @Test
  void anOutputWithoutElementsNeedsNoKernel() {
    assertThat(add(Shape.of(0, 4), Shape.of(1, 4), Shape.of(0, 4))).isEmpty();
    assertThat(device.library().kernels()).isZero();
  }

  @Test
  void anOutputOfAnotherShapeIsRefusedForANewKernelAndForOneThatThereIs() {
    try (Tensor x = ones(Shape.of(3, 2));
        Tensor right = ones(Shape.of(6, 2));
        Tensor wrong = ones(Shape.of(7, 2));
        Tuple parts = Tuple.of(x, x)) {
      String message = "relaxvm.concat: argument #2 'out' must be shape [6, 2] but is shape [7, 2]";
      refuses("concat", message, parts, 0, wrong);
      call("concat", parts, 0, right);
      refuses("concat", message, parts, 0, wrong);
      assertThat(device.library().kernels()).isEqualTo(1);
    }
  }

  @Test
  void shapesThatDoNotFitTheOperatorAreRefusedInItsWords() {
    try (Tensor a = ones(Shape.of(2, 3));
        Tensor b = ones(Shape.of(4, 2));
        Tensor out = ones(Shape.of(2, 2))) {
      refuses(
          "matmul",
          "relaxvm.matmul: matmul: the reduced extents of a and b must be equal, but are 3 and 4",
          a,
          b,
          null,
          false,
          false,
          "none",
          out);
      refuses(
          "softmax",
          "relaxvm.softmax: argument #1 'axis' must be an axis from -2 to 1 but is 2",
          a,
          2,
          a);
    }
  }

  @Test
  void fewKernelsAreKeptAndManyThreadsCallThem() throws InterruptedException, ExecutionException {
    try (GpuLibrary few = GpuLibrary.of(new OpenClDriver(device, true), 2);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> calls = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        for (String function : List.of("add", "multiply", "maximum")) {
          calls.add(threads.submit(() -> callOften(few, function)));
        }
      }
      for (Future<?> each : calls) {
        each.get();
      }
      assertThat(few.kernels()).isEqualTo(2);
    }
  }

  private void callOften(GpuLibrary library, String function) {
    try (Tensor x = ones(Shape.of(100));
        Tensor out = ones(Shape.of(100))) {
      for (int iteration = 0; iteration < 3; iteration++) {
        library
            .find("relaxvm." + function)
            .orElseThrow()
            .call(CallArgs.of(x, x, out), new CallResult());
        assertThat(out.toHost().toFloatArray()).containsOnly(function.equals("add") ? 2 : 1);
      }
    }
  }

  @Test
  void aClosedLibraryRefusesCalls() {
    device.library().close();
    try (Tensor x = ones(Shape.of(2))) {
      assertThatThrownBy(() -> call("negative", x, x))
          .isInstanceOfSatisfying(
              BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              "device opencl:0 is closed: it cannot be used any more\n"
                  + "  at library function relaxvm.negative");
    }
  }

  private float[] add(Shape a, Shape b, Shape out) {
    try (Tensor x = ones(a);
        Tensor y = ones(b);
        Tensor sum = ones(out)) {
      call("add", x, y, sum);
      return sum.toHost().toFloatArray();
    }
  }

  private float[] conv2d(int height, int width) {
    Shape pair = Shape.of(1, 1);
    try (Tensor data = ones(Shape.of(1, 1, height, width));
        Tensor weight = ones(Shape.of(2, 1, 3, 3));
        Tensor out = ones(Shape.of(1, 2, height - 2, width - 2))) {
      call("conv2d", data, weight, null, pair, Shape.of(0, 0, 0, 0), pair, 1, "relu", out);
      return out.toHost().toFloatArray();
    }
  }

  private Tensor ones(Shape shape) {
    Tensor host = Tensor.zeros(DType.FLOAT32, shape);
    host.fill(1);
    Tensor tensor = DeviceTensors.copyTo(host, allocator, stream);
    stream.synchronize();
    return tensor;
  }

  private void call(String function, @Nullable Object... args) {
    device
        .library()
        .find("relaxvm." + function)
        .orElseThrow()
        .call(CallArgs.of(args), new CallResult());
  }

  private void refuses(String function, String message, @Nullable Object... args) {
    assertThatThrownBy(() -> call(function, args))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
  }
}
