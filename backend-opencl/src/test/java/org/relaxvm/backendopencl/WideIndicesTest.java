package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;

/**
 * Calls whose index arithmetic exceeds 32 bits get indices of 64 bits. The tensors are small: only
 * their strides, or what is added to an index, are large.
 */
@NeedsOpenCl
class WideIndicesTest {
  private static final long FAR = (1L << 40) + 3;

  private Backend backend;
  private OpenClDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @BeforeEach
  void open() {
    backend = new OpenClBackendProvider().open();
    device = (OpenClDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void close() {
    stream.close();
    allocator.close();
    backend.close();
  }

  @Test
  void stridesBeyond32BitsAreFollowed() {
    String text =
        """
        @T.prim_func
        def row_sum(A: T.Buffer((n, m), "float32", strides=(s, t)), C: T.Buffer((n,), "float32")):
            n = T.int64()
            m = T.int64()
            s = T.int64()
            t = T.int64()
            for i, j in T.grid(n, m):
                with T.block("sum"):
                    v, r = T.axis.remap("SR", [i, j])
                    with T.init():
                        C[v] = T.float32(0)
                    C[v] = C[v] + A[v, r]
        """;
    try (Module module = device.loadModule(KernelImages.of("row_sum", text));
        Tensor all = there(new float[] {1, 2, 3, 4, 5, 6});
        Tensor near = all.stridedView(Shape.of(2, 3), new long[] {3, 1}, 0);
        Tensor far = all.stridedView(Shape.of(1, 3), new long[] {FAR, 2}, 1);
        Tensor sums = there(new float[2]);
        Tensor sum = there(new float[1])) {
      module.find("row_sum").orElseThrow().invoke(near, sums).close();
      assertThat(sums.toHost().toFloatArray()).containsExactly(6, 15);
      module.find("row_sum").orElseThrow().invoke(far, sum).close();
      assertThat(sum.toHost().toFloatArray()).containsExactly(2 + 4 + 6);
    }
  }

  @Test
  void whatIsAddedToAnIndexMayExceed32Bits() {
    String text =
        """
        @T.prim_func
        def turned(A: T.Buffer((n,), "float32"), k: T.int64, C: T.Buffer((n,), "float32")):
            n = T.int64()
            for i in range(n):
                with T.block("C"):
                    v = T.axis.spatial(n, i)
                    C[v] = A[(v + k) % n]
        """;
    try (Module module = device.loadModule(KernelImages.of("turned", text));
        Tensor from = there(new float[] {0, 1, 2, 3, 4});
        Tensor to = there(new float[5])) {
      module.find("turned").orElseThrow().invoke(from, 7L, to).close();
      assertThat(to.toHost().toFloatArray()).containsExactly(2, 3, 4, 0, 1);
      module.find("turned").orElseThrow().invoke(from, FAR, to).close();
      int first = (int) (FAR % 5);
      assertThat(to.toHost().toFloatArray())
          .containsExactly(
              first, (first + 1) % 5, (first + 2) % 5, (first + 3) % 5, (first + 4) % 5);
      // The same program serves another large number, and the first one small numbers.
      module.find("turned").orElseThrow().invoke(from, 5 * FAR, to).close();
      assertThat(to.toHost().toFloatArray()).containsExactly(0, 1, 2, 3, 4);
      module.find("turned").orElseThrow().invoke(from, 1L, to).close();
      assertThat(to.toHost().toFloatArray()).containsExactly(1, 2, 3, 4, 0);
    }
  }

  private Tensor there(float[] values) {
    return DeviceTensors.copyTo(Tensor.of(values, Shape.of(values.length)), allocator, stream);
  }
}
