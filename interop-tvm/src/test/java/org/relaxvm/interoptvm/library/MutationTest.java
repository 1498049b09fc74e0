package org.relaxvm.interoptvm.library;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoptvm.Bytes;
import org.relaxvm.interoptvm.device.DeviceImages;
import org.relaxvm.interoptvm.device.DeviceModuleWriter;
import org.relaxvm.interoptvm.device.Modules;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.executable.ReadOptions;

/** Damaged containers end in one of our errors, or are read. */
class MutationTest {
  private static final int CASES = Effort.chosen().pick(8_000, 20_000, 500_000);
  private static final long[] WORDS = {
    -1, 0, 1, 2, 3, 4, 5, 8, 1L << 20, 1L << 31, 1L << 32, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private static ModuleNode node(String kind, byte[] bytes, Integer... children) {
    return new ModuleNode(kind, MemorySegment.ofArray(bytes), List.of(children));
  }

  /** One module of each kind. */
  private static byte[] everything() {
    String source = "// Function: a\nx\n// Function: b\ny";
    return new LibraryBin(
            List.of(
                node("relax.VMExecutable", ModuleKindsTest.executable(), 1, 2, 3),
                node("_lib", new byte[0], 4, 5, 6, 7),
                node("const_loader", ModuleKindsTest.constLoader().toArray(), 8),
                node("static_library", new Bytes().string("obj").strings("f").toArray()),
                node("cuda", Modules.cuda("ptx").toArray()),
                node("hip", Modules.olderCuda("hsaco").toArray()),
                node("opencl", Modules.openCl(source).toArray()),
                node("vulkan", Modules.vulkan(1, 0x07230203, 1, 2, 3, 4).toArray()),
                node("dnnl_json", new Bytes().string("s").string("{}").strings("c").toArray()),
                node("mine", "bytes".getBytes(UTF_8))))
        .toBytes();
  }

  /** Reads all that can be read; true when nothing was refused. */
  private static boolean readAll(byte[] bytes) {
    LibraryBin bin;
    try {
      bin = LibraryBin.read(MemorySegment.ofArray(bytes));
    } catch (RelaxException e) {
      assertThat(e.getMessage()).isNotBlank();
      return false;
    }
    assertThat(bin.searchOrder()).startsWith(0).doesNotHaveDuplicates();
    assertThat(bin.toBytes()).isEqualTo(Arrays.copyOf(bytes, bin.toBytes().length));
    boolean all = true;
    for (int i = 0; i < bin.modules().size(); i++) {
      try {
        ModuleContent content = bin.content(i, ReadOptions.DEFAULT);
        if (content instanceof ModuleContent.DeviceContent(var module)) {
          assertThat(MemorySegment.ofArray(DeviceModuleWriter.write(module)))
              .matches(written -> written.byteSize() > 0);
          DeviceImages.of(module);
        }
      } catch (RelaxException e) {
        assertThat(e.getMessage()).isNotBlank();
        all = false;
      }
    }
    return all;
  }

  @Test
  void damagedContainersAreRefusedOrHarmless() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("MutationTest: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    List<byte[]> seeds = List.of(everything(), LibraryBinTest.example());
    assertThat(readAll(seeds.getFirst())).isTrue();
    int refused = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] damaged = mutate(seeds.get(i % seeds.size()).clone(), random);
      try {
        if (!readAll(damaged)) {
          refused++;
        }
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + " of -Drelaxvm.seed=" + seed, e);
      }
    }
    assertThat(refused).isBetween(CASES / 4, CASES - 1);
  }

  private static byte[] mutate(byte[] bytes, Random random) {
    byte[] result = bytes;
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int at = random.nextInt(Math.max(1, result.length - 8));
      switch (random.nextInt(4)) {
        case 0 -> result[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> result[at] = (byte) random.nextInt();
        case 2 -> {
          if (result.length >= 16) {
            long word = WORDS[random.nextInt(WORDS.length)];
            for (int b = 0; b < 8; b++) {
              result[at + b] = (byte) (word >>> (8 * b));
            }
          }
        }
        default -> result = withGap(result, at, random.nextInt(17) - 8);
      }
    }
    return result;
  }

  /** Some bytes left out or repeated, with the length of the container made to fit. */
  private static byte[] withGap(byte[] bytes, int at, int gap) {
    int from = Math.clamp(at + gap, 0, bytes.length);
    byte[] result = new byte[at + bytes.length - from];
    System.arraycopy(bytes, 0, result, 0, at);
    System.arraycopy(bytes, from, result, at, bytes.length - from);
    if (result.length >= 8) {
      long length = result.length - 8L;
      for (int b = 0; b < 8; b++) {
        result[b] = (byte) (length >>> (8 * b));
      }
    }
    return result;
  }
}
