package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verified;

/** Kernels and the instructions that they become are written where a folder is named. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class KernelDumpTest {
  private static final PrimFunc KERNEL =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True, name="fill / 7")
          def fill(C: T.Buffer((n,), "float32")):
              n = T.int64()
              for i in range(n):
                  C[i] = T.float32(7)
          """);

  @TempDir Path folder;

  @AfterEach
  void writeNoMore() {
    System.clearProperty(KernelDump.SETTING);
  }

  private static void compile() {
    new KernelCompiler(Optional.empty(), Verified::of).compile(KERNEL, name -> Optional.empty());
  }

  private static Stream<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @Test
  void writesTheKernelAndItsInstructions() throws IOException {
    Path dump = folder.resolve("a").resolve("b");
    System.setProperty(KernelDump.SETTING, dump.toString());
    compile();
    compile();
    assertThat(names(dump))
        .containsExactly("fill___7-1.tir", "fill___7-1.txt", "fill___7.tir", "fill___7.txt");
    assertThat(dump.resolve("fill___7.tir")).hasContent(TirText.print(KERNEL));
    assertThat(dump.resolve("fill___7.txt"))
        .content()
        .startsWith("run(KernelFrame), ")
        .contains("invokestatic ScalarAccess.storeFloat32(MemorySegment, long, float)");
  }

  @Test
  void writesTheLowLevelIrAndTheInstructionsOfMachineCode() throws IOException {
    assumeTrue(MachineCode.current().isAvailable(), MachineCode.current().reason());
    Path dump = folder.resolve("machine");
    System.setProperty(KernelDump.SETTING, dump.toString());
    GeneratedKernels.machine(Verified::of).compile(KERNEL, name -> Optional.empty());
    assertThat(names(dump)).containsExactly("fill___7.machine.txt");
    assertThat(dump.resolve("fill___7.machine.txt"))
        .content()
        .startsWith(TirText.print(KERNEL))
        .contains("\nfill / 7_0(block %0, from %1, to %2, scratch %3):\n", "store32 ", "ret\n");
  }

  @Test
  void writesNothingUnlessAsked() throws IOException {
    System.setProperty(KernelDump.SETTING, "");
    compile();
    assertThat(names(folder)).isEmpty();
  }

  @Test
  void folderThatCannotBeWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    System.setProperty(KernelDump.SETTING, file.toString());
    assertThatThrownBy(KernelDumpTest::compile)
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "the kernel fill / 7 cannot be written to the folder "
                + file
                + ": java.nio.file.FileAlreadyExistsException: "
                + file
                + "; name a folder that can be written with -Drelaxvm.cpu.dumpKernels=, or none");
  }
}
