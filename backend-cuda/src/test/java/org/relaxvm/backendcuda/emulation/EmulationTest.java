package org.relaxvm.backendcuda.emulation;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendcuda.driver.Launch;
import org.relaxvm.backendcuda.kernels.CompileException;
import org.relaxvm.backendcuda.kernels.CudaTarget;

/** What other tests rely on: threads of a block meet, lanes of a warp exchange, streams order. */
class EmulationTest {
  private static final CudaTarget TARGET = new CudaTarget(8, 0);
  private static final String SUMS =
      """
      extern "C" __global__ void __launch_bounds__(64) sums(
          float* __restrict__ out, const float* in, int n, long long offset) {
        __shared__ float all[64];
        int i = (int)threadIdx.x;
        all[i] = i < n ? in[offset + blockIdx.x * 64 + i] : 0.0f;
        __syncthreads();
        for (int half = 32; half > 0; half /= 2) {
          if (i < half) {
            all[i] += all[i + half];
          }
          __syncthreads();
        }
        if (i == 0) {
          out[blockIdx.x] = all[0];
        }
      }
      extern "C" __global__ void __launch_bounds__(32) lanes(float* out) {
        float value = (float)threadIdx.x;
        for (int mask = 16; mask > 0; mask /= 2) {
          value += __shfl_xor_sync(0xffffffffu, value, mask);
        }
        out[threadIdx.x] = value;
      }
      """;

  private final HostCompiler compiler = new HostCompiler();
  private final EmulatedCuda cuda = new EmulatedCuda(1, 8, 0);
  private final Handle.Context context = cuda.retainContext(0);

  @BeforeEach
  void requireCompiler() {
    NeedsHostCompiler.require();
  }

  @Test
  void threadsOfABlockMeetAndLanesExchange() {
    Handle.Module module = cuda.loadModule(context, compiler.compile("sums", SUMS, TARGET));
    Handle.Stream stream = cuda.createStream(context);
    long in = cuda.allocate(context, 130 * Float.BYTES);
    long out = cuda.allocate(context, 32 * Float.BYTES);
    MemorySegment ones = MemorySegment.ofArray(new float[130]);
    for (int i = 0; i < 130; i++) {
      ones.setAtIndex(JAVA_FLOAT, i, i);
    }
    MemorySegment pinned = cuda.allocatePinned(context, 130 * Float.BYTES);
    pinned.copyFrom(ones);
    cuda.copyIn(context, pinned, in, stream);
    ByteBuffer arguments = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
    arguments.putLong(out).putLong(in).putInt(64).putInt(0).putLong(2).flip();
    cuda.launch(context, stream, launch(module, "sums", 2, 64, arguments));
    float[] sums = read(stream, out, 2);
    assertThat(sums).containsExactly(sum(2, 66), sum(66, 130));
    arguments.clear().putLong(out).flip();
    cuda.launch(context, stream, launch(module, "lanes", 1, 32, arguments));
    assertThat(read(stream, out, 32)).containsOnly(496f);
    cuda.free(context, in);
    cuda.free(context, out);
    cuda.freePinned(context, pinned);
    cuda.release(context, stream);
    cuda.unload(context, module);
    cuda.release(context);
    assertThat(cuda.liveHandles()).isEqualTo(Map.of());
  }

  private float[] read(Handle.Stream stream, long address, int count) {
    MemorySegment target = MemorySegment.ofArray(new float[count]);
    cuda.copyOut(context, address, target, stream);
    cuda.synchronize(context, stream);
    return target.toArray(JAVA_FLOAT);
  }

  private static float sum(int from, int to) {
    float sum = 0;
    for (int i = from; i < to; i++) {
      sum += i;
    }
    return sum;
  }

  private Launch launch(
      Handle.Module module, String kernel, int blocks, int threads, ByteBuffer arguments) {
    return new Launch(
        cuda.function(context, module, kernel),
        new Axes(blocks, 1, 1),
        new Axes(threads, 1, 1),
        Axes.ONE,
        Axes.ONE,
        0,
        false,
        false,
        arguments);
  }

  @Test
  void aProgramThatIsWrongIsRefusedWithALog() {
    assertThatThrownBy(() -> compiler.compile("wrong", "no program", TARGET))
        .isInstanceOfSatisfying(
            CompileException.class, e -> assertThat(e.log()).contains("program.cpp:2"));
  }

  @Test
  void writingBeyondABlockIsNoticed() {
    long address = cuda.allocate(context, 8);
    EmulatedMemory.at(address, 16).setAtIndex(JAVA_FLOAT, 2, 1);
    assertThatThrownBy(() -> cuda.free(context, address))
        .isInstanceOf(AssertionError.class)
        .hasMessage("a kernel wrote beyond a block of 8 bytes, at byte 8");
  }

  @Test
  void memoryRunsOut() {
    assertThatThrownBy(() -> cuda.allocate(context, 5L << 30))
        .isInstanceOf(CudaStatusException.class)
        .hasMessage("cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2)");
  }
}
