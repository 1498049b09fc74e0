package org.relaxvm.interoptvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.interoptvm.device.Modules;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.interoptvm.spi.RootModuleReader;
import org.relaxvm.interoptvm.spi.RootProgram;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.program.HostLinks;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs and kernels in libraries of Apache TVM 0.20 and older. */
@Timeout(60)
class OldLibraryTest {
  private static final LoadOptions NATIVE = LoadOptions.DEFAULT.withNativeCode(true);
  private static final long[] ROOT_AND_LIBRARY = {0, 1, 1};

  @TempDir Path folder;

  /** {@code main(x, out)}: out = x + (1, 2, 3), and {@code twice(x)} by name. */
  private static Executable program() {
    ExecBuilder executable = new ExecBuilder();
    Tensor constant = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    executable.function(
        "main", List.of("x", "out"), f -> f.ret(f.call("add", f.param(0), constant, f.param(1))));
    executable.function("twice", List.of("x"), f -> f.ret(f.call("call_by_name", f.param(0))));
    return executable.get();
  }

  private static OldContainer relax(String kind) {
    return new OldContainer()
        .string(kind, OldContainer.executable(program()))
        .library()
        .tree(ROOT_AND_LIBRARY, 1);
  }

  private static void checkRuns(Program program) {
    try (VirtualMachine vm =
        VirtualMachine.builder(program)
            .function("test.twice", (args, result) -> result.setLong(2 * args.longAt(0)))
            .build()) {
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(3));
      vm.function("main").call(Tensor.of(new float[] {10, 20, 30}, Shape.of(3)), out).close();
      assertThat(out.toFloatArray()).containsExactly(11, 22, 33);
      assertThat(vm.function("twice").call(21L).asLong()).isEqualTo(42);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"relax.Executable", "relax.VMExecutable"})
  void aRelaxLibraryRuns(String kind) throws IOException {
    Path library = relax(kind).compile(folder, "model.so");
    checkRuns(Program.load(library, NATIVE));
  }

  @Test
  void factsNameTheReleaseAndTheEra() throws IOException {
    Program program = Program.load(relax("relax.Executable").compile(folder, "model.so"));
    assertThat(program.hostCode().getFirst().facts())
        .containsEntry("exported by", "Apache TVM 0.20 or older")
        .containsEntry("executable", "era A of the format")
        .containsEntry("modules", "relax.Executable imports _lib")
        .containsKey("calls by name");
    assertThat(program.hostCode().getFirst().functionNames())
        .contains("add", "scale", "parallel")
        .noneMatch(name -> name.startsWith("_"));
  }

  @Test
  void compiledFunctionsAreRejectedWithTheReason() throws IOException {
    Path library = relax("relax.Executable").compile(folder, "model.so", "-DTVM_TEST_COMPILED");
    Program program = Program.load(library, NATIVE);
    assertThatThrownBy(() -> VirtualMachine.builder(program).build())
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + library.toAbsolutePath()
                + ": its function main was compiled with exec_mode=\"compiled\" by Apache TVM 0.20"
                + " or older, which RelaxVM cannot call\n"
                + "  what to do: compile the model with exec_mode=\"bytecode\", or with Apache TVM"
                + " 0.21 or newer");
  }

  private Path relay() throws IOException {
    return new OldContainer()
        .string("VMExecutable", "relay".getBytes(UTF_8))
        .library()
        .tree(ROOT_AND_LIBRARY, 1)
        .compile(folder, "relay.so");
  }

  private static Program read(Path library, RootModuleReader... readers) {
    return ExportedLibrary.read(
            library, FileIdentity.of(library), TvmLibraryReader.map(library), NATIVE)
        .program(RootModules.of(List.of(readers)));
  }

  @Test
  void aRelayProgramNeedsAnotherJar() throws IOException {
    Path library = relay();
    assertThatThrownBy(() -> read(library))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            the library holds a program for the Relay VM, which needs another module of RelaxVM
              expected: a reader of modules of kind VMExecutable, which is in the jar \
            relaxvm-interop-relay
              got: no such reader
              what to do: add the jar relaxvm-interop-relay to the class path or module path\
            """);
  }

  @Test
  void aProviderReadsTheRootModule() throws IOException {
    Program program =
        read(
            relay(),
            new RootModuleReader() {
              @Override
              public String kind() {
                return "VMExecutable";
              }

              @Override
              public RootProgram read(MemorySegment content, LoadOptions options) {
                assertThat(content.toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo("relay".getBytes(UTF_8));
                assertThat(options).isEqualTo(NATIVE);
                LinkedHashMap<String, String> facts = new LinkedHashMap<>();
                facts.put("executable", "of the Relay VM");
                ProgramMetadata named = ProgramMetadata.builder().name("read").build();
                return new RootProgram(program(), named, facts);
              }
            });
    assertThat(program.metadata().name()).isEqualTo("read");
    assertThat(program.hostCode().getFirst().facts())
        .containsEntry("executable", "of the Relay VM");
    checkRuns(program);
  }

  @Test
  void aRootModuleOfAnUnknownKindIsRejected() throws IOException {
    Path library =
        new OldContainer()
            .module("cuda", Modules.olderCuda("ptx").toArray())
            .library()
            .tree(ROOT_AND_LIBRARY, 1)
            .compile(folder, "other.so");
    assertThatThrownBy(() -> Program.load(library))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            """
            the library holds no program for the Relax VM
              expected: a root module of kind relax.VMExecutable
              got: cuda
              what to do: compile the model with relax.build and export that\
            """);
  }

  @Test
  void kernelsOfALibraryWithoutModulesServeAnotherProgram() {
    Path library = CLibrary.compile(folder, "imitation-old.c", "kernels.so");
    KernelLibrary kernels = KernelLibrary.read(library, NATIVE);
    assertThat(kernels.modules()).isEmpty();
    assertThat(kernels.hostCode().functionNames()).contains("add", "call_by_name");
    checkRuns(
        Program.of(
            program(), ProgramMetadata.EMPTY, kernels.modules(), List.of(kernels.hostCode())));
  }

  @Test
  void kernelsForDevicesComeWithThem() throws IOException {
    Path library =
        new OldContainer()
            .module("cuda", Modules.olderCuda("ptx").toArray())
            .compile(folder, "kernels.so");
    KernelLibrary kernels = KernelLibrary.read(library, NATIVE);
    assertThat(kernels.modules()).hasSize(1);
    try (Module code = kernels.hostCode().load(new HostLinks(List.of(), _ -> Optional.empty()))) {
      assertThat(code.findWithImports("add")).isPresent();
    }
  }

  @Test
  void kernelsWithAProgramOrWithoutPermissionAreRejected() throws IOException {
    Path program = relay();
    assertThatThrownBy(() -> KernelLibrary.read(program, NATIVE))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            program.toAbsolutePath()
                + " contains a program beside its kernels\n"
                + "  expected: a library whose root module is its own code\n"
                + "  got: a root module of kind VMExecutable\n"
                + "  what to do: load this file as the program");
    Path library = CLibrary.compile(folder, "imitation-old.c", "kernels.so");
    KernelLibrary kernels = KernelLibrary.read(library, LoadOptions.DEFAULT);
    HostLinks links = new HostLinks(List.of(), _ -> Optional.empty());
    assertThatThrownBy(() -> kernels.hostCode().load(links))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("loading it runs its code, which was not allowed");
  }
}
