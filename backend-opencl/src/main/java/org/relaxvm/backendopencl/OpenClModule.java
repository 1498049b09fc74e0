package org.relaxvm.backendopencl;

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
import org.relaxvm.backendopencl.program.OpenClKernel;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.gpu.foreign.ForeignModule;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/**
 * Kernels of another compiler: OpenCL C, or binaries of vendors. One program has all of them.
 *
 * <p>Source: docs/spec/device-modules.md, sections 2 and 4.
 */
final class OpenClModule implements ForeignModule.Code<OpenClKernel, WorkSize> {
  /** The format of OpenCL C. */
  static final String SOURCE = "opencl-c";

  /** All formats: OpenCL C, and the binaries of Xilinx and Intel. */
  static final Set<String> FORMATS = Set.of(SOURCE, "xclbin", "awsxclbin", "aocx");

  private final OpenClDevice device;
  private final Supplier<OpenClProgram> build;
  private final ShortNames names;
  private @Nullable OpenClProgram program;

  private OpenClModule(OpenClDevice device, Supplier<OpenClProgram> build, ShortNames names) {
    this.device = device;
    this.build = build;
    this.names = names;
  }

  /**
   * Takes an image; its bytes are copied.
   *
   * @throws org.relaxvm.api.error.BackendException when the format is another, or a kernel cannot
   *     be called because its parameters are not known
   */
  static Module load(OpenClDevice device, ModuleImage image) {
    ForeignModule.require(device, FORMATS, image);
    return new ForeignModule<>(device, image.entries(), code(device, image));
  }

  private static OpenClModule code(OpenClDevice device, ModuleImage image) {
    byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
    if (!image.format().equals(SOURCE)) {
      return new OpenClModule(device, () -> device.load(bytes), ShortNames.NONE);
    }
    String name = String.join(", ", image.symbols());
    String source = ForeignModule.text(device, SOURCE, bytes);
    ShortNames names = ShortNames.of(image.entries(), source);
    return new OpenClModule(device, () -> device.build(name, names.apply(source), ""), names);
  }

  @Override
  public OpenClKernel kernel(KernelEntry entry) {
    OpenClProgram built = program;
    if (built == null) {
      built = build.get();
      program = built;
    }
    return built.kernel(names.of(entry.name()));
  }

  @Override
  public WorkSize size(KernelLaunch launch) {
    return WorkSize.of(launch);
  }

  @Override
  public void launch(
      OpenClKernel kernel,
      String name,
      List<KernelArgument> arguments,
      WorkSize size,
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
