package org.relaxvm.backendcuda;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.program.CudaKernel;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.foreign.ForeignModule;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;

/**
 * Kernels of another compiler: CUDA C, PTX, or machine code. One program has all of them.
 *
 * <p>Source: docs/spec/device-modules.md, sections 2 and 3.
 */
final class CudaModule implements ForeignModule.Code<CudaKernel, LaunchShape> {
  /** The format of CUDA C. */
  static final String SOURCE = "cuda-c";

  /** All formats. */
  static final Set<String> FORMATS = Set.of(SOURCE, "ptx", "cubin", "fatbin");

  private final CudaDevice device;
  private final Supplier<CudaProgram> build;
  private @Nullable CudaProgram program;

  private CudaModule(CudaDevice device, Supplier<CudaProgram> build) {
    this.device = device;
    this.build = build;
  }

  /**
   * Takes an image; its bytes are copied.
   *
   * @throws org.relaxvm.api.error.BackendException when the format is another, or a kernel cannot
   *     be called because its parameters are not known
   */
  static Module load(CudaDevice device, ModuleImage image) {
    ForeignModule.require(device, FORMATS, image);
    byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
    return new ForeignModule<>(
        device, image.entries(), new CudaModule(device, program(device, image, bytes)));
  }

  private static Supplier<CudaProgram> program(CudaDevice device, ModuleImage image, byte[] bytes) {
    String name = String.join(", ", image.symbols());
    if (!image.format().equals(SOURCE)) {
      return () -> device.load(name, bytes);
    }
    String source = ForeignModule.text(device, SOURCE, bytes);
    return () -> device.build(name, source);
  }

  @Override
  public CudaKernel kernel(KernelEntry entry) {
    CudaProgram built = program;
    if (built == null) {
      built = build.get();
      program = built;
    }
    return built.kernel(entry.name());
  }

  @Override
  public LaunchShape size(KernelLaunch launch) {
    return LaunchShape.of(launch);
  }

  @Override
  public void launch(
      CudaKernel kernel,
      String name,
      List<KernelArgument> arguments,
      LaunchShape size,
      Stream stream) {
    device.own(stream).launch(kernel, name, arguments, size);
  }

  @Override
  public void close() {
    if (program != null) {
      program.close();
      program = null;
    }
  }
}
