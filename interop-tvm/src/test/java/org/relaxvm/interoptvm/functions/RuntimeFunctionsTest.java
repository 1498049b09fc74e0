package org.relaxvm.interoptvm.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

class RuntimeFunctionsTest {
  @Test
  void theProviderIsFound() {
    FunctionProvider provider =
        ServiceLoader.load(FunctionProvider.class).stream()
            .filter(found -> found.type().equals(RuntimeFunctions.class))
            .findFirst()
            .orElseThrow()
            .get();
    assertThat(provider.spiVersion()).isEqualTo(SpiVersion.CURRENT);
    assertThat(provider.name()).isEqualTo("tvm-runtime");
    assertThat(provider.functionNames()).hasSize(17).contains("__tvm_set_device");
    assertThat(provider.functionNames()).allMatch(name -> provider.find(name).isPresent());
    assertThat(provider.find("tvm.contrib.sort.bogo")).isEmpty();
  }

  @Test
  void programsFindTheFunctions() {
    Program program =
        Program.of(
            Assembler.parse(
                """
                @main(x, out):
                  call tvm.contrib.sort.argsort in: %0, %1, -1, 1 dst: %2
                  ret %1
                """));
    Tensor out = Tensor.zeros(DType.INT32, Shape.of(3));
    try (VirtualMachine vm = VirtualMachine.builder(program).build();
        Tensor x = Tensor.of(new float[] {3, 1, 2}, Shape.of(3));
        Value result = vm.function("main").call(x, out)) {
      assertThat(result.asTensor().toLongArray()).containsExactly(1, 2, 0);
    }
  }
}
