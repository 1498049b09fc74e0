package org.relaxvm.interoptvm.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.interoptvm.Bytes;

/** The bytes of modules for devices (docs/spec/device-modules.md, section 1; test vector D1). */
class DeviceModuleTest {
  private static DeviceModule read(String kind, byte[] bytes) {
    return DeviceModuleReader.read(kind, MemorySegment.ofArray(bytes));
  }

  private static void refuses(String kind, Bytes bytes, String message) {
    assertThatThrownBy(() -> read(kind, bytes.toArray()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("malformed device module of kind " + kind + "\n" + message.stripTrailing());
  }

  @Test
  void theWorkedExampleIsReadAndWritten() {
    byte[] bytes = Modules.cuda("ptx").toArray();
    assertThat(bytes).hasSize(145);
    DeviceModule module = read("cuda", bytes);
    assertThat(module.kind()).isEqualTo("cuda");
    assertThat(module.format()).isEqualTo("ptx");
    assertThat(module.extraTags()).isTrue();
    assertThat(module.kernels())
        .hasSize(1)
        .containsEntry(
            "add_kernel",
            new KernelInfo(
                "add_kernel",
                List.of(KernelEntry.HANDLE, DType.INT32),
                List.of("blockIdx.x", "threadIdx.x"),
                List.of(0, 0)));
    assertThat(module.code())
        .isInstanceOfSatisfying(
            DeviceCode.Blob.class,
            blob ->
                assertThat(new String(blob.bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8))
                    .isEqualTo("//PTX"));
    assertThat(DeviceModuleWriter.write(module)).isEqualTo(bytes);
  }

  @Test
  void everyKindComesBackByteForByte() {
    for (String kind : List.of("cuda", "opencl", "hip", "hsaco")) {
      for (Bytes bytes :
          List.of(
              Modules.cuda("any"), Modules.olderCuda("ptx"), Modules.openCl("// Function: a\n"))) {
        byte[] before = bytes.toArray();
        assertThat(DeviceModuleWriter.write(read(kind, before))).isEqualTo(before);
      }
    }
    byte[] shader = Modules.vulkan(7, 0x07230203, 1, 2, 3, 4).toArray();
    assertThat(DeviceModuleWriter.write(read("vulkan", shader))).isEqualTo(shader);
  }

  @Test
  void olderModulesHaveNoExtraTags() {
    DeviceModule module = read("cuda", Modules.olderCuda("ptx").toArray());
    assertThat(module.extraTags()).isFalse();
    assertThat(module.kernels().firstEntry().getValue().extraTags()).isEmpty();
    assertThat(module.kernels().firstEntry().getValue().launchTags())
        .containsExactly("blockIdx.x", "tir.use_dyn_shared_memory");
  }

  @Test
  void everyTruncationIsRefused() {
    for (byte[] bytes :
        List.of(Modules.cuda("ptx").toArray(), Modules.olderCuda("ptx").toArray())) {
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> read("cuda", cut)).isInstanceOf(MalformedFileException.class);
      }
    }
    byte[] shader = Modules.vulkan(0, 0x07230203, 1, 2, 3, 4).toArray();
    for (int length = 0; length < shader.length; length++) {
      byte[] cut = Arrays.copyOf(shader, length);
      assertThatThrownBy(() -> read("vulkan", cut)).isInstanceOf(MalformedFileException.class);
    }
  }

  @Test
  void aNewerModuleCutInItsExtraTagsIsNoOlderOne() {
    refuses(
        "cuda",
        Modules.head("ptx", "k").i64(2).raw(new byte[] {1, 0}),
        """
          at byte 61 (0x3d), kernel 0 of 1, extra tags and code
          expected: code, or all extra tags
          got: less than all extra tags
          what to do: the file is cut short: copy, download or build it again
        """);
  }

  @Test
  void damageIsPlaced() {
    refuses(
        "cuda",
        Modules.cuda("ptx").i32(0),
        """
          at byte 145 (0x91), kernel 0 of 1, end of the module
          expected: no more bytes
          got: 4 bytes
          what to do: the file is damaged: copy, download or build it again
        """);
    refuses(
        "cuda",
        new Bytes().string("ptx").i64(1).string("a").string("b").dtypes().i64(0, 0, 0),
        """
          at byte 19 (0x13), kernel 0 of 1, name
          expected: its key, 'a'
          got: 'b'
          what to do: the file is damaged: copy, download or build it again
        """);
    refuses(
        "cuda",
        new Bytes().string("ptx").i64(1L << 40),
        """
          at byte 11 (0xb), number of kernels
          expected: at most 0, for 0 bytes are left and each takes 40 or more
          got: 1099511627776
          what to do: the file is cut short: copy, download or build it again
        """);
    refuses(
        "vulkan",
        new Bytes()
            .string("vulkan")
            .i64(0)
            .i64(1)
            .string("k")
            .blob(new Bytes().i32(0).i64(1).i32(5).i32(6).toArray()),
        """
          at byte 39 (0x27), shader 0 of 1, byte length of the shader
          expected: 16 for 1 words
          got: 20
          what to do: the file is damaged: copy, download or build it again
        """);
  }

  @Test
  void namesAreThereOnce() {
    Bytes twice = new Bytes().string("ptx").i64(2);
    for (int i = 0; i < 2; i++) {
      twice.string("a").string("a").dtypes().i64(0, 0);
    }
    assertThatThrownBy(() -> read("cuda", twice.string("").toArray()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("kernel 1 of 2, name\n  expected: each name once\n  got: 'a' again");
  }
}
