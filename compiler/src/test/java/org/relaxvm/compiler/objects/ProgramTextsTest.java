package org.relaxvm.compiler.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.compare.StructuralHash;
import org.relaxvm.objects.graph.ObjectGraph;

/** Each program of the corpus comes back from a graph. */
class ProgramTextsTest {
  private static final Path FOLDER = Path.of("../integration-tests/src/test/resources/programs");
  private static final ObjectTypes TYPES = ObjectTypes.discover();

  private static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".relax")).sorted().toList();
    }
  }

  /** A text, with the host as graphs name it. */
  private static String print(IRModule module) {
    return RelaxText.print(module)
        .replace("I.vdevice(\"cpu\"", "I.vdevice(\"llvm\"")
        .replace("\"cpu:0:", "\"llvm:0:");
  }

  @Test
  void programsComeBackFromGraphs() throws IOException {
    List<Path> programs = programs();
    assertThat(programs).hasSizeGreaterThan(200);
    for (Path file : programs) {
      String name = String.valueOf(file.getFileName());
      IRModule module = RelaxText.parse(Files.readString(file), name, StandardOps.registry());
      ObjectNode written = ModuleObjects.write(module, TYPES);
      String json = new ObjectGraph(written).toJson(TYPES);
      IRModule read = ModuleObjects.read(requireNonNull(ObjectGraph.parse(json, TYPES).root()));
      assertThat(print(read)).as(name).isEqualTo(print(Completed.of(module)));
      ObjectNode again = ModuleObjects.write(read, TYPES);
      assertThat(StructuralEquality.firstMismatch(written, again, TYPES, CompareOptions.DEFAULT))
          .as(name)
          .isEmpty();
      assertThat(StructuralHash.of(again, TYPES, CompareOptions.DEFAULT))
          .as(name)
          .isEqualTo(StructuralHash.of(written, TYPES, CompareOptions.DEFAULT));
    }
  }
}
