package org.relaxvm.integrationtests.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.executable.ExecutableReader;

/** The modules that the original compiler has after each of its passes. */
final class GoldenModules {
  static final OpRegistry OPS = StandardOps.registry();

  private GoldenModules() {}

  /**
   * The constants of a case, which the texts leave out. Those of case 06 are what is folded of ones
   * like a tensor of four.
   */
  static List<Tensor> constants(String name) {
    if (name.startsWith("06")) {
      return List.of(Tensor.of(new float[] {1, 1, 1, 1}, Shape.of(4)));
    }
    return ExecutableReader.read(Golden.require(name).resolve("executable.bin"))
        .constants()
        .stream()
        .filter(Tensor.class::isInstance)
        .map(Tensor.class::cast)
        .toList();
  }

  /** The modules of a case by what their files are called, such as {@code 04-FuseOps}. */
  static SequencedMap<String, IRModule> stages(String name) throws IOException {
    List<Tensor> constants = constants(name);
    SequencedMap<String, IRModule> stages = new LinkedHashMap<>();
    for (Path file : GoldenTexts.of(name)) {
      String stage = file.getFileName().toString().replace(".txt", "");
      stages.put(stage, RelaxText.parse(Files.readString(file), file.toString(), OPS, constants));
    }
    return stages;
  }
}
