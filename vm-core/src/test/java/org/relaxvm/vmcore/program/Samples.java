package org.relaxvm.vmcore.program;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Programs for tests. */
final class Samples {
  private Samples() {}

  /** {@code main(x)} calls {@code f(x, weights, bias)}; the weights have 4096 bytes. */
  static Executable executable() {
    float[] weights = new float[1024];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i * 0.5f - 100;
    }
    long[] words = {
      1, 1, 1, 3, Arg.register(0).word(), Arg.constant(0).word(), Arg.constant(1).word(), 2, 1
    };
    return new Executable(
        List.of(
            new FunctionInfo(FunctionKind.VM, "main", 0, 2, 1, 2, List.of("x")),
            FunctionInfo.packed("f")),
        List.of(
            Tensor.of(weights, Shape.of(32, 32)),
            Tensor.of(new float[] {1, 2}, Shape.of(2)),
            Shape.of(2, 3),
            "text",
            DType.FLOAT32),
        Map.of(0, "global"),
        new long[] {0, 7},
        words);
  }

  static ProgramMetadata metadata() {
    return ProgramMetadata.builder()
        .name("sample")
        .description("a sample")
        .input(
            TensorSpec.of("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(1), Dim.of(28), Dim.of(28)))
        .output(TensorSpec.of("scores", DType.FLOAT32, Dim.symbol("n"), Dim.of(10)))
        .image(
            ImageSpec.rgb("x", 28, 28)
                .withNormalisation(0.5, List.of(0.1, 0.2, 0.3), List.of(1.5, 2.5, 3.5))
                .withLayout(ImageSpec.Layout.NHWC)
                .withInvert(true))
        .labels(List.of("zero", "one"))
        .requiredFunction("host.log")
        .build();
  }

  static Program program() {
    byte[] source = "kernel void f() {}".getBytes(StandardCharsets.UTF_8);
    return Program.of(
        executable(),
        metadata(),
        List.of(
            new KernelModule(
                "opencl",
                new ModuleImage("opencl-c", List.of("f"), MemorySegment.ofArray(source)))));
  }

  /** The same with kernels of another compiler. */
  static Program foreignKernels() {
    byte[] code = {3, 2, 0x23, 7, 1};
    KernelEntry plain =
        new KernelEntry(
            "f",
            List.of(KernelEntry.HANDLE, DType.INT32, DType.FLOAT64),
            List.of(LaunchTag.BLOCK_X, LaunchTag.THREAD_X, LaunchTag.DYNAMIC_SHARED_MEMORY));
    KernelEntry special =
        new KernelEntry(
            "g",
            List.of(KernelEntry.HANDLE, KernelEntry.HANDLE, DType.UINT32),
            List.of(LaunchTag.COOPERATIVE_LAUNCH),
            Set.of(1),
            true);
    ModuleImage image =
        new ModuleImage(
            "cubin", List.of("f", "g", "h"), MemorySegment.ofArray(code), List.of(plain, special));
    return Program.of(executable(), metadata(), List.of(new KernelModule("cuda", image)));
  }
}
