package org.relaxvm.interoptvm.library;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoptvm.Bytes;
import org.relaxvm.interoptvm.OldContainer;
import org.relaxvm.interoptvm.device.Modules;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.executable.ReadOptions;

/** The modules of a library of Apache TVM 0.20 or older. */
class OldLibraryBinTest {
  private static final int CASES = Effort.chosen().pick(4000, 20_000, 200_000);

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static LibraryBin read(OldContainer container) {
    return LibraryBin.readOld(container.segment());
  }

  private static OldContainer everything() {
    return new OldContainer()
        .string("relax.Executable", text("abc"))
        .library()
        .module("const_loader", ModuleKindsTest.constLoader().toArray())
        .module("cuda", Modules.olderCuda("ptx").toArray())
        .string("VMExecutable", text("d"))
        .tree(new long[] {0, 1, 3, 3, 4, 4}, 1, 2, 3, 4);
  }

  @Test
  void modulesAreMeasuredByReadingThem() {
    LibraryBin bin = read(everything());
    assertThat(bin.modules())
        .extracting(ModuleNode::kind)
        .containsExactly("relax.Executable", "_lib", "const_loader", "cuda", "VMExecutable");
    assertThat(bin.modules())
        .extracting(ModuleNode::children)
        .containsExactly(List.of(1), List.of(2, 3), List.of(), List.of(4), List.of());
    assertThat(bin.root().bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(text("abc"));
    assertThat(bin.content(2, ReadOptions.DEFAULT)).isInstanceOf(ConstLoader.class);
    assertThat(bin.content(3, ReadOptions.DEFAULT)).isInstanceOf(ModuleContent.DeviceContent.class);
  }

  @Test
  void withoutATreeTheLibraryImportsAllOthers() {
    LibraryBin bin = read(new OldContainer().module("cuda", Modules.olderCuda("ptx").toArray()));
    assertThat(bin.modules()).extracting(ModuleNode::kind).containsExactly("_lib", "cuda");
    assertThat(bin.root().children()).containsExactly(1);
    assertThat(read(new OldContainer()).modules()).hasSize(1);
    assertThat(read(new OldContainer().library()).root().isLibrary()).isTrue();
  }

  @Test
  void aModuleOfUnknownLengthIsRejected() {
    OldContainer container = new OldContainer().library().module("metadata", text("?"));
    assertThatThrownBy(() -> read(container))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "module 1 of the library is of the kind metadata, whose length Apache TVM 0.20 and"
                + " older do not write\n"
                + "  expected: one of VMExecutable, const_loader, cuda, hip, hsaco, opencl,"
                + " relax.Executable, relax.VMExecutable\n"
                + "  what to do: compile the model without such a module, or export it with"
                + " Apache TVM 0.21 or newer");
  }

  @Test
  void damageIsReportedWhereItIs() {
    assertThatThrownBy(() -> LibraryBin.readOld(new Bytes().i64(9).i32(0).segment()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            """
            malformed module list of a library
              at byte 0 (0x0), byte length
              expected: at most 4, for so many bytes of the symbol are left
              got: 9
              what to do: the file is cut short: copy, download or build it again\
            """);
    assertThatThrownBy(() -> read(new OldContainer().library().library()))
        .hasMessageContaining("another than that of module 0, for a library has its code once");
    assertThatThrownBy(() -> read(new OldContainer().library().tree(new long[] {0, 2}, 1)))
        .hasMessageContaining(
            "end of children 1\n  expected: 0 to 1, and that number at the end\n  got: 2");
    assertThatThrownBy(() -> read(new OldContainer().library().tree(new long[] {0, 1, 1}, 1)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the import tree of the library has 2 modules\n  expected: 1, as many as the"
                + " library\n  what to do: copy or export it again");
    assertThatThrownBy(() -> read(new OldContainer().library().tree(new long[] {0, 1}, 0)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("child 0 of module 0 must be one after it");
  }

  @Test
  void damagedContainersAreRejectedOrHarmless() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("OldLibraryBinTest: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    byte[] whole = everything().toArray();
    int rejected = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] damaged =
          Arrays.copyOf(
              whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
      for (int n = random.nextInt(3); n >= 0 && damaged.length > 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(9);
      }
      try {
        LibraryBin bin = LibraryBin.readOld(MemorySegment.ofArray(damaged));
        assertThat(bin.searchOrder()).startsWith(0).doesNotHaveDuplicates();
      } catch (RelaxException e) {
        assertThat(e.getMessage()).isNotBlank();
        rejected++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + " of -Drelaxvm.seed=" + seed, e);
      }
    }
    assertThat(rejected).isBetween(CASES / 4, CASES - 1);
  }
}
