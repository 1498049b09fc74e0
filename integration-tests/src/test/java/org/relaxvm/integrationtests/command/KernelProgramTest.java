package org.relaxvm.integrationtests.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs that bring kernels in the kernel IR, from Java and from the command line. */
class KernelProgramTest {
  private static final String SETTING = "relaxvm.cpu.dumpKernels";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeProgram() {
    file = folder.resolve("twice.rvm");
    RvmWriter.write(program(TirText.print(kernel()), "twice"), file);
  }

  @AfterEach
  void forgetFolder() {
    System.clearProperty(SETTING);
  }

  private static PrimFunc kernel() {
    return kernel(2);
  }

  private static PrimFunc kernel(double factor) {
    KernelBuilder kernel = new KernelBuilder("twice");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n));
    return kernel.build(
        kernel.compute(
            "Y", x.shape(), i -> Exprs.mul(x.at(i), new FloatImm(DType.FLOAT32, factor))));
  }

  private static Program program(String kernels, String symbol) {
    ExecBuilder builder = new ExecBuilder();
    builder.function(
        "main",
        List.of("x", "y"),
        f -> {
          f.call("twice", f.param(0), f.param(1));
          f.ret(f.param(1));
        });
    ModuleImage image =
        new ModuleImage("tir", List.of(symbol), MemorySegment.ofArray(kernels.getBytes(UTF_8)));
    return Program.of(
        builder.get(), ProgramMetadata.EMPTY, List.of(new KernelModule("cpu", image)));
  }

  @Test
  void aPackageWithKernelsRunsAfterItWasWrittenAndRead() {
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(file)).device("cpu").build();
        Tensor x = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
        Tensor y = Tensor.zeros(DType.FLOAT32, Shape.of(3));
        Tensor result = vm.function("main").call(x, y).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(2, 4, 6);
    }
  }

  @Test
  void kernelsGetTheirCodeAheadOfTheFirstCall() throws IOException {
    // One whose code no other test has made.
    RvmWriter.write(program(TirText.print(kernel(0.75)), "twice"), file);
    Path dump = folder.resolve("ahead");
    System.setProperty(SETTING, dump.toString());
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(file)).device("cpu").build()) {
      assertThat(dump).doesNotExist();
      vm.warmUp();
      assertThat(dump).isDirectoryContaining(made -> made.toString().contains("twice"));
    }
  }

  @Test
  void theCommandRunsItAndWritesWhatBecameOfItsKernels() throws IOException {
    Path x = folder.resolve("x.npy");
    Npy.write(x, Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
    Path dump = folder.resolve("dump");
    CommandRun run =
        CommandRun.of("run", file, x, x, "--dump-kernels", dump, "-O", "cpu.code=portable");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("[2.0, 4.0, 6.0]");
    assertThat(dump.resolve("twice.tir")).content().contains("def twice(").contains("scheduled");
    assertThat(dump.resolve("twice.txt")).content().contains("run(KernelFrame)");
    assertThat(Files.list(dump)).hasSize(2);
    Path chosen = folder.resolve("chosen");
    assertThat(CommandRun.of("run", file, x, x, "--dump-kernels", chosen).out())
        .contains("[2.0, 4.0, 6.0]");
    assertThat(chosen).isDirectoryContaining(made -> made.toString().contains("twice."));
  }

  @Test
  void aKernelThatIsMissingIsNamedWhenTheProgramIsLinked() {
    Path other = folder.resolve("other.rvm");
    RvmWriter.write(program(TirText.print(kernel()), "thrice"), other);
    CommandRun run = CommandRun.of("run", other, "random:3:float32", "random:3:float32");
    assertThat(run.code()).isNotZero();
    assertThat(run.err())
        .contains("the image of kernels has no kernel 'thrice'\n  what there is: twice")
        .doesNotContain("\tat ");
  }

  @Test
  void aKernelThatCannotBeReadIsRefusedWithItsPlace() {
    Path other = folder.resolve("broken.rvm");
    RvmWriter.write(program("# relaxvm tir 1\nnothing", "twice"), other);
    CommandRun run = CommandRun.of("run", other, "random:3:float32", "random:3:float32");
    assertThat(run.code()).isNotZero();
    assertThat(run.err())
        .contains("kernels of the program on cpu:0:2:1: expected '@', but got 'nothing'")
        .doesNotContain("\tat ");
  }
}
