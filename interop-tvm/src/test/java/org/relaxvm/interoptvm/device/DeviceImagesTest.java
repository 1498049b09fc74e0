package org.relaxvm.interoptvm.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.interoptvm.Bytes;
import org.relaxvm.vmcore.program.KernelModule;

/**
 * What backends get of a device module (docs/spec/device-modules.md, sections 2 to 5; vectors D2 to
 * D6).
 */
class DeviceImagesTest {
  private static List<KernelModule> images(String kind, Bytes bytes) {
    return DeviceImages.of(DeviceModuleReader.read(kind, bytes.segment()));
  }

  private static String text(ModuleImage image) {
    return new String(image.bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }

  private static void refuses(String kind, Bytes bytes, String message) {
    assertThatThrownBy(() -> images(kind, bytes))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  @Test
  void cudaCodeIsOneImage() {
    for (String format : List.of("ptx", "cubin", "fatbin", "cuda")) {
      List<KernelModule> images = images("cuda", Modules.cuda(format));
      assertThat(images).hasSize(1);
      assertThat(images.getFirst().device()).isEqualTo("cuda");
      ModuleImage image = images.getFirst().image();
      assertThat(image.format()).isEqualTo(format.equals("cuda") ? "cuda-c" : format);
      assertThat(image.symbols()).containsExactly("add_kernel");
      assertThat(image.entries())
          .containsExactly(
              new KernelEntry(
                  "add_kernel",
                  List.of(KernelEntry.HANDLE, DType.INT32),
                  List.of(LaunchTag.BLOCK_X, LaunchTag.THREAD_X)));
      assertThat(text(image)).isEqualTo("//PTX");
    }
  }

  @Test
  void codeForAmdGpusGoesToRocm() {
    for (String kind : List.of("hip", "hsaco")) {
      KernelModule image = images(kind, Modules.cuda("hsaco")).getFirst();
      assertThat(image.device()).isEqualTo("rocm");
      assertThat(image.image().format()).isEqualTo("hsaco");
    }
  }

  @Test
  void unknownFormatsAreNamed() {
    refuses(
        "cuda",
        Modules.cuda("sass"),
        "code of format 'sass' in a module of kind cuda is not known\n"
            + "  expected: [cubin, cuda, fatbin, ptx]\n"
            + "  what to do: compile the program for one of these");
    refuses(
        "opencl",
        Modules.cuda("spv"),
        "code of format 'spv' in a module of kind opencl is not known\n"
            + "  expected: [aocx, awsxclbin, cl, xclbin]\n"
            + "  what to do: compile the program for one of these");
    refuses(
        "hip",
        Modules.cuda("hip"),
        "code of format 'hip' in a module of kind hip is not known\n"
            + "  expected: [hsaco]\n"
            + "  what to do: compile the program for one of these");
  }

  @Test
  void aModuleWithoutKernelsGivesNoImages() {
    Bytes empty = new Bytes().string("ptx").i64(0).string("");
    assertThat(images("cuda", empty)).isEmpty();
  }

  @Test
  void olderTagsAndSharedMemoryAreUnderstood() {
    KernelEntry entry =
        images("cuda", Modules.olderCuda("ptx")).getFirst().image().entries().getFirst();
    KernelLaunch launch = KernelLaunch.of(entry, CallArgs.of(null, 5L, 0L, 1024L));
    assertThat(launch).hasToString("grid=(1,1,1), block=(1,1,1), shared=1024");
  }

  @Test
  void tensorMapsAreMarked() {
    Bytes bytes = Modules.head("ptx", "k").i64(2).i32(1).i32(0).string("");
    assertThat(images("cuda", bytes).getFirst().image().entries().getFirst().tensorMaps())
        .isEqualTo(Set.of(0));
    refuses(
        "cuda",
        Modules.head("ptx", "k").i64(2).i32(9).i32(0).string(""),
        "the extra tag of parameter 0 of kernel k must be 0 (none) or 1 (tensor map), but is 9");
    refuses(
        "cuda",
        Modules.head("ptx", "k").i64(1).i32(0).string(""),
        "kernel k must have no extra tags or one for each of its 2 parameters, but has 1");
    refuses(
        "cuda",
        Modules.head("ptx", "k").i64(2).i32(0).i32(1).string(""),
        "tensor map 1 must be the index of a handle\n  kernel: k");
  }

  @Test
  void unknownTagsAreRefusedWhenTheyAreNeeded() {
    Bytes bytes = Modules.head("ptx", "k", "warpIdx").i64(0).string("");
    assertThat(DeviceModuleReader.read("cuda", bytes.segment()).kernels()).hasSize(1);
    assertThatThrownBy(() -> images("cuda", bytes))
        .isInstanceOfSatisfying(
            InvalidProgramException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL);
              assertThat(e.tvmMessage()).hasValue("Unknown threadscope warpIdx");
            })
        .hasMessage(
            "unknown launch tag 'warpIdx'\n"
                + "  expected: one of [blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,"
                + " threadIdx.y, threadIdx.z, clusterCtaIdx.x, clusterCtaIdx.y, clusterCtaIdx.z,"
                + " preferredClusterCtaIdx.x, preferredClusterCtaIdx.y, preferredClusterCtaIdx.z,"
                + " tirx.use_dyn_shared_memory, tirx.use_programtic_dependent_launch,"
                + " tirx.use_cooperative_launch]\n"
                + "  what to do: compile the program for this release\n"
                + "  at kernel k");
  }

  @Test
  void openClSourceIsAnImageForEachKernel() {
    String source =
        "#define DROPPED\n// Function: a\nvoid a();\nkernel a // é\n// Function: b\nkernel b";
    List<KernelModule> images = images("opencl", Modules.openCl(source));
    assertThat(images).extracting(KernelModule::device).containsOnly("opencl");
    assertThat(images).extracting(image -> image.image().format()).containsOnly("opencl-c");
    assertThat(images)
        .extracting(image -> image.image().symbols())
        .containsExactly(List.of("a"), List.of("b"));
    assertThat(images)
        .extracting(image -> text(image.image()))
        .containsExactly("void a();\nkernel a // é\n", "kernel b");
    assertThat(images)
        .extracting(image -> image.image().entries().getFirst().name())
        .containsExactly("a", "b");
  }

  @Test
  void openClSourceWithoutOrWithOtherKernelsIsRefused() {
    refuses(
        "opencl",
        Modules.openCl("kernel void a() {}"),
        "the OpenCL source of the library does not say where its kernels begin\n"
            + "  expected: a line '// Function: <name>' in front of each of [b, a]\n"
            + "  what to do: build the library again");
    String mismatch = "the OpenCL source of the library does not have one part for each kernel\n";
    refuses(
        "opencl",
        Modules.openCl("// Function: a\nx"),
        mismatch
            + "  got: the source has [a], the module [b, a]\n"
            + "  what to do: build the library again");
    refuses(
        "opencl",
        Modules.openCl("// Function: a\nx\n// Function: a\ny"),
        mismatch + "  got: the source has 'a' twice\n  what to do: build the library again");
    refuses(
        "opencl",
        Modules.openCl("// Function: a\nx\n// Function: c"),
        mismatch
            + "  got: the source has [a, c], the module [b, a]\n"
            + "  what to do: build the library again");
  }

  @Test
  void binaryOpenClProgramsStayWhole() {
    KernelModule image = images("opencl", Modules.cuda("xclbin")).getFirst();
    assertThat(image.device()).isEqualTo("opencl");
    assertThat(image.image().format()).isEqualTo("xclbin");
    assertThat(image.image().entries()).hasSize(1);
  }

  @Test
  void shadersSayWhereTheirScalarsAre() {
    for (int flags = 0; flags < 2; flags++) {
      List<KernelModule> images = images("vulkan", Modules.vulkan(flags, 0x07230203, 1, 2, 3, 4));
      assertThat(images).hasSize(1);
      assertThat(images.getFirst().device()).isEqualTo("vulkan");
      ModuleImage image = images.getFirst().image();
      assertThat(image.format()).isEqualTo("spirv");
      assertThat(image.bytes().byteSize()).isEqualTo(20);
      assertThat(image.entries().getFirst().uniformScalars()).isEqualTo(flags == 1);
    }
  }

  @Test
  void shadersMustBeSpirvAndComplete() {
    refuses(
        "vulkan",
        Modules.vulkan(0, 0x03022307, 1, 2, 3, 4),
        "the shader of kernel k must be SPIR-V, which starts with the word 0x07230203 and has 20"
            + " bytes or more, but has 20 bytes and starts with 0x03022307");
    refuses(
        "vulkan",
        Modules.vulkan(0),
        "the shader of kernel k must be SPIR-V, which starts with the word 0x07230203 and has 20"
            + " bytes or more, but has 0 bytes");
    refuses(
        "vulkan",
        Modules.head("vulkan", "k").i64(0).i64(0),
        "a module for vulkan must have a shader for each kernel, but has the shaders [] and the"
            + " kernels [k]");
  }
}
