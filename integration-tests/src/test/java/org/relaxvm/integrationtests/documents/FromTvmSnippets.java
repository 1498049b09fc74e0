package org.relaxvm.integrationtests.documents;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.params.ParamsFile;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The code of {@code docs/from-tvm.md}, between its markers, as methods that a test runs. */
final class FromTvmSnippets {
  private FromTvmSnippets() {}

  static float[] run(Path model) {
    // snippet: run
    Program program = Program.load(model, LoadOptions.DEFAULT.withNativeCode(true));
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(2, 64));
        Tensor scores = vm.function("main").call(x).asTensor()) {
      return scores.toFloatArray();
    }
    // end
  }

  static Value parameters(VirtualMachine vm, Tensor x, Path file) {
    // snippet: parameters
    Map<String, Tensor> parameters = ParamsFile.read(file);
    List<Object> arguments = new ArrayList<>();
    arguments.add(x);
    for (int i = 0; i < parameters.size(); i++) {
      arguments.add(parameters.get("p_" + i));
    }
    return vm.function("main").call(arguments.toArray());
    // end
  }

  static Set<String> look(Path model) {
    // snippet: look
    Program program = Program.load(model);
    HostCode code = program.hostCode().getFirst();
    System.out.println(code.facts());
    return code.functionNames();
    // end
  }

  static String refused(Path model) {
    // snippet: refused
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(model)).build()) {
      return "linked on " + vm.devices();
    } catch (RelaxException e) {
      return e.kind() + ": " + e.getMessage();
    }
    // end
  }
}
