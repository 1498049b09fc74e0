package org.relaxvm.interoprelay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

class RelayTextReaderTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("program.relay"), text);
  }

  @Test
  void aTextRunsAsAProgramOfTheVirtualMachine() throws IOException {
    Path file =
        file(
            """
            ; the larger of two numbers
            packed 0 = "relaxvm.less"
            func @main(2) {
              AllocTensor $2, 0, [], bool
              InvokePacked 0, 2, 1, $0, $1, $2
              If $2, second, first
            first: Mov $3, $0
              Goto end
            second: Mov $4, $1
            end: Phi $5, $3, $4
              Ret $5
            }
            """);
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new CpuBackendProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm = VirtualMachine.builder(Program.load(file)).registry(registry).build();
        Value larger = vm.function("main").call(Tensor.scalar(3f), Tensor.scalar(4f))) {
      assertThat(larger.asTensor().toFloatArray()).containsExactly(4f);
    }
  }

  @Test
  void errorsNameTheFile() throws IOException {
    Path malformed = file("func @main(0) { Ret 5 }");
    assertThatThrownBy(() -> Program.load(malformed))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            """
            line 1, column 21: expected a register, such as $3, but got '5'
              1 | func @main(0) { Ret 5 }
                                      ^
              at file %s, read as relay-text\
            """
                .formatted(malformed.toAbsolutePath()));
    Path invalid = file("func @main(0) { Ret $5 }");
    assertThatThrownBy(() -> Program.load(invalid))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            $5 has no definition
              what to do: define it, or use one of the registers that are defined
              at function main, instruction 0: Ret $5
              at file %s, read as relay-text\
            """
                .formatted(invalid.toAbsolutePath()));
  }

  @Test
  void textOfOtherFormsIsLeftToTheirReaders() {
    RelayTextReader reader = new RelayTextReader();
    assertThat(reader.accepts(head("const 0 = 1"))).isTrue();
    assertThat(reader.accepts(head("constants:\n  c[0] = 1"))).isFalse();
    assertThat(reader.accepts(head("@main(x):\n  ret %0"))).isFalse();
    assertThat(reader.accepts(head("relaxvm-text 1"))).isFalse();
    assertThat(reader.accepts(head("\u0000\u0001"))).isFalse();
  }

  private static FileHead head(String text) {
    return FileHead.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
