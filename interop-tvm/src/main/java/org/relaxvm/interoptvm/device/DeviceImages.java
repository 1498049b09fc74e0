package org.relaxvm.interoptvm.device;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.SpirvBindings;
import org.relaxvm.vmcore.program.KernelModule;

/**
 * Turns modules for devices into the images that backends take.
 *
 * <p>CUDA and ROCm code is one image, since it is one binary. OpenCL C is an image for each kernel,
 * as TVM builds it: each part repeats the declarations it needs, so that put together they may
 * clash, and a backend can build what is used, and side by side. SPIR-V is a module for each kernel
 * anyway.
 *
 * <p>Source: docs/spec/device-modules.md, sections 1 to 5. Stateless and thread-safe.
 */
public final class DeviceImages {
  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int SPIRV_MAGIC = 0x07230203;
  private static final int SPIRV_HEADER_BYTES = 20;

  private static final Map<String, String> CUDA =
      Map.of("ptx", "ptx", "cubin", "cubin", "fatbin", "fatbin", "cuda", "cuda-c");
  private static final Map<String, String> ROCM = Map.of("hsaco", "hsaco");
  private static final Set<String> OPENCL_BINARIES = Set.of("xclbin", "awsxclbin", "aocx");

  private DeviceImages() {}

  /**
   * The images of a module, with their device's kind as RelaxVM names it.
   *
   * @return images whose bytes are views of the module's; none when the module has no kernels
   * @throws InvalidProgramException when the format of the code or a kernel is of a kind that
   *     cannot be run
   */
  public static List<KernelModule> of(DeviceModule module) {
    if (module.kernels().isEmpty()) {
      return List.of();
    }
    return switch (module.code()) {
      case DeviceCode.Blob(MemorySegment code) ->
          switch (module.kind()) {
            case "cuda" -> List.of(whole("cuda", CUDA, module, code));
            case "hip", "hsaco" -> List.of(whole("rocm", ROCM, module, code));
            case "opencl" -> openCl(module, code);
            default -> throw unknownFormat(module, List.of());
          };
      case DeviceCode.Shaders(SequencedMap<String, DeviceCode.Shader> shaders) ->
          spirv(module, shaders);
    };
  }

  private static KernelModule whole(
      String device, Map<String, String> formats, DeviceModule module, MemorySegment code) {
    String format = formats.get(module.format());
    if (format == null) {
      throw unknownFormat(module, formats.keySet());
    }
    List<KernelEntry> entries =
        module.kernels().values().stream().map(kernel -> kernel.entry(false)).toList();
    return new KernelModule(
        device, new ModuleImage(format, List.copyOf(module.kernels().keySet()), code, entries));
  }

  private static List<KernelModule> openCl(DeviceModule module, MemorySegment code) {
    if (OPENCL_BINARIES.contains(module.format())) {
      return List.of(whole("opencl", Map.of(module.format(), module.format()), module, code));
    }
    if (!module.format().equals("cl")) {
      List<String> known = new ArrayList<>(OPENCL_BINARIES);
      known.add("cl");
      throw unknownFormat(module, known);
    }
    List<KernelModule> images = new ArrayList<>();
    OpenClSource.split(code, module.kernels().keySet())
        .forEach(
            (name, part) -> images.add(single("opencl", "opencl-c", module, name, part, false)));
    return List.copyOf(images);
  }

  private static List<KernelModule> spirv(
      DeviceModule module, Map<String, DeviceCode.Shader> shaders) {
    if (!module.format().equals("vulkan")) {
      throw unknownFormat(module, List.of("vulkan"));
    }
    if (!shaders.keySet().equals(module.kernels().keySet())) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a module for vulkan must have a shader for each kernel, but has the shaders "
              + shaders.keySet()
              + " and the kernels "
              + module.kernels().keySet());
    }
    List<KernelModule> images = new ArrayList<>();
    for (String name : module.kernels().keySet()) {
      DeviceCode.Shader shader = shaders.get(name);
      if (shader == null) {
        throw new IllegalStateException("the names were compared");
      }
      MemorySegment words = shader.words();
      if (words.byteSize() < SPIRV_HEADER_BYTES || words.get(WORD, 0) != SPIRV_MAGIC) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the shader of kernel "
                + name
                + " must be SPIR-V, which starts with the word 0x07230203 and has 20 bytes or more,"
                + " but has "
                + words.byteSize()
                + " bytes"
                + (words.byteSize() < Integer.BYTES
                    ? ""
                    : " and starts with 0x%08x".formatted(words.get(WORD, 0))));
      }
      KernelModule image = single("vulkan", "spirv", module, name, words, shader.uniformScalars());
      // Refuses handles after scalars before a backend meets them.
      SpirvBindings.of(image.image().entries().getFirst());
      images.add(image);
    }
    return List.copyOf(images);
  }

  private static KernelModule single(
      String device,
      String format,
      DeviceModule module,
      String name,
      MemorySegment code,
      boolean uniformScalars) {
    KernelInfo kernel = module.kernels().get(name);
    if (kernel == null) {
      throw new IllegalStateException("the names were compared");
    }
    return new KernelModule(
        device,
        new ModuleImage(format, List.of(name), code, List.of(kernel.entry(uniformScalars))));
  }

  private static InvalidProgramException unknownFormat(
      DeviceModule module, Iterable<String> known) {
    List<String> names = new ArrayList<>();
    known.forEach(names::add);
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "code of format '"
            + module.format()
            + "' in a module of kind "
            + module.kind()
            + " is not known\n  expected: "
            + names.stream().sorted().toList()
            + "\n  what to do: compile the program for one of these");
  }
}
