package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.program.HostFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;

/** Programs with functions in Java, which link further programs to the same devices. */
class HostFunctionsTest {
  private final List<String> closed = new ArrayList<>();

  /** The function {@code version}, which calls {@code main} of another program. */
  private final class Nested implements HostFunctions {
    private final Program program;

    Nested(Program program) {
      this.program = program;
    }

    @Override
    public String origin() {
      return "versions of a test";
    }

    @Override
    public Set<String> functionNames() {
      return Set.of("version");
    }

    @Override
    public String remedy() {
      return "use a constant";
    }

    @Override
    public Module link(ProgramLinker linker) {
      Module linked = linker.link(program);
      assertThat(linked.functionNames()).containsExactly("main");
      assertThat(linked.find("seen")).isEmpty();
      PackedFunc main = linked.find("main").orElseThrow();
      Module functions = Module.of(origin(), Map.of("version", main));
      return new Module() {
        @Override
        public String origin() {
          return functions.origin();
        }

        @Override
        public Set<String> functionNames() {
          return functions.functionNames();
        }

        @Override
        public Optional<PackedFunc> find(String name) {
          return functions.find(name);
        }

        @Override
        public void close() {
          linked.close();
          closed.add("closed");
        }
      };
    }
  }

  private static TestProgram calling(String callee) {
    return new TestProgram().function("main", 1, 2).call(callee, 1, r(0)).ret(1);
  }

  private Program outer(TestProgram inner) {
    return calling("version").build().withHostFunctions(List.of(new Nested(inner.build())));
  }

  @Test
  void aProgramRunsOnTheDevicesOfAnother() {
    List<List<String>> seen = new ArrayList<>();
    try (TestDevices devices = new TestDevices();
        VirtualMachine vm =
            VirtualMachine.builder(outer(calling("seen")))
                .registry(devices.registry())
                .device("opaque")
                .function(
                    "seen",
                    (args, result) -> {
                      seen.add(args.context().devices().stream().map(Device::toString).toList());
                      result.setArgument(args, 0);
                    })
                .build()) {
      Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2));
      try (Tensor y = vm.function("main").call(x).asTensor()) {
        assertThat(y.toHost().toFloatArray()).containsExactly(1, 2);
      }
      assertThat(seen).containsExactly(List.of("opaque:0", "cpu:0"));
      assertThat(closed).isEmpty();
    }
    assertThat(closed).containsExactly("closed");
  }

  @Test
  void anErrorOfTheInnerProgramIsOneOfTheCall() {
    try (TestDevices devices = new TestDevices();
        VirtualMachine vm =
            VirtualMachine.builder(outer(calling("seen")))
                .registry(devices.registry())
                .function(
                    "seen",
                    (args, result) -> {
                      throw new CallException(ErrorKind.VALUE, "too bad");
                    })
                .build()) {
      assertThatThrownBy(() -> vm.function("main").call(1L))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith("too bad");
    }
  }

  @Test
  void aMissingFunctionOfTheInnerProgramIsAnErrorOfLinking() {
    try (TestDevices devices = new TestDevices()) {
      VmBuilder builder =
          VirtualMachine.builder(outer(calling("missing"))).registry(devices.registry());
      assertThatThrownBy(builder::build)
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("missing");
      assertThat(devices.opaque().blocks).hasValue(0);
    }
  }

  @Test
  void noPackageHoldsThem(@TempDir Path folder) {
    Path file = folder.resolve("program.rvm");
    assertThatThrownBy(() -> RvmWriter.write(outer(calling("seen")), file))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("a .rvm package cannot hold versions of a test\n  what to do: use a constant");
    assertThat(Files.exists(file)).isFalse();
  }
}
