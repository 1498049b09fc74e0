package org.relaxvm.compiler.objects.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.text.EmbeddedText;
import org.relaxvm.tir.text.SourceText;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.text.TokenStream;

/** Kernels that Apache TVM wrote. */
class GoldenKernelsTest {
  private static final CompareOptions FREE = new CompareOptions(true, false);
  private static final String KERNEL = "tirx.PrimFunc";

  /** The one kernel that cannot be held, and why. */
  private static final String NOT_HELD = "primfunc-lowered";

  /**
   * How many kernels of a name have int32 indices. Of two it is the axis of the block over a tensor
   * without axes; its value is int64 in the original.
   */
  private static final Map<String, Integer> NARROW =
      Map.of(
          "less_equal", 8,
          "subtract1", 8,
          "primfunc-loops", 1,
          "primfunc-matmul", 1,
          "primfunc-te-scale", 1,
          "primfunc-te-sum", 1);

  private static final int HELD_EXPRESSIONS = 4;
  private static final int HELD_IN_MODULES = 162;

  /** A kernel and where it is from. */
  private record Golden(String file, String name, ObjectNode node) {
    String path() {
      return "<root>.functions[I.GlobalVar(\"" + name + "\")]";
    }
  }

  private static List<Golden> ofModules() throws IOException {
    List<Golden> kernels = new ArrayList<>();
    Graphs.moduleFiles()
        .forEach(
            (file, text) -> {
              if (file.endsWith(".json")) {
                ObjectView module = ObjectView.of((ObjectNode) Graphs.parse(text));
                if (module.get("functions") instanceof Map<?, ?> functions) {
                  functions.forEach((variable, function) -> add(kernels, file, variable, function));
                }
              }
            });
    return kernels;
  }

  private static void add(
      List<Golden> kernels, String file, @Nullable Object variable, @Nullable Object function) {
    if (variable instanceof ObjectNode key
        && function instanceof ObjectNode node
        && node.type().key().equals(KERNEL)) {
      kernels.add(new Golden(file, ObjectView.of(key).get("name_hint") + "", node));
    }
  }

  private static Optional<PrimFunc> read(Golden golden, Problems problems) {
    return KernelReader.read(
        golden.name(), golden.node(), new ScalarReader(problems), problems, golden.path());
  }

  /**
   * What comes back is equal to the original, spans and the type of the function aside, which are
   * not compared.
   *
   * @param original of int64 indices
   */
  private static void comesBack(String name, PrimFunc kernel, ObjectNode original) {
    NodeMaker nodes = new NodeMaker(Graphs.TYPES);
    ObjectNode written = KernelWriter.write(kernel, new ScalarWriter(nodes), nodes);
    ObjectNode again = Graphs.throughJson(written);
    assertThat(StructuralEquality.firstMismatch(original, again, Graphs.TYPES, FREE))
        .as(name)
        .isEmpty();
    Problems problems = new Problems();
    PrimFunc second =
        KernelReader.read(kernel.name(), again, new ScalarReader(problems), problems, "<root>")
            .orElseThrow();
    problems.throwIfAny(name);
    assertThat(TirText.print(second)).as(name).isEqualTo(TirText.print(kernel));
    assertThat(org.relaxvm.tir.rewrite.StructuralEquality.areEqual(kernel, second))
        .as(name)
        .isTrue();
  }

  @Test
  void kernelsOfModulesComeBack() throws IOException {
    int held = 0;
    List<Golden> kernels = ofModules();
    for (Golden golden : kernels) {
      Problems problems = new Problems();
      Optional<PrimFunc> kernel = read(golden, problems);
      String name = golden.file() + " " + golden.name();
      problems.throwIfAny(name);
      if (kernel.isPresent()) {
        held++;
        // Where a tensor has no axes, its block has one axis, which is int32.
        comesBack(name, kernel.get(), new WideIndices(false).copy(golden.node()));
      }
    }
    System.out.println("kernels of golden modules: " + held + " of " + kernels.size() + " held");
    assertThat(held).isEqualTo(HELD_IN_MODULES);
  }

  @Test
  void kernelsOfInt32IndicesComeBackWithInt64Indices() throws IOException {
    int held = 0;
    for (Map.Entry<String, ObjectNode> entry : Graphs.expressions().entrySet()) {
      String name = entry.getKey();
      if (name.startsWith("primfunc-") && !name.equals(NOT_HELD)) {
        Problems problems = new Problems();
        PrimFunc kernel = read(new Golden(name, name, entry.getValue()), problems).orElseThrow();
        problems.throwIfAny(name);
        // They hold no other int32 than indices and extents.
        comesBack(name, kernel, new WideIndices(true).copy(entry.getValue()));
        held++;
      }
    }
    assertThat(held).isEqualTo(HELD_EXPRESSIONS);
  }

  /** With nothing excepted: the widths of indices count, too. */
  @Test
  void kernelsOfInt64IndicesAreEqualToTheOriginal() throws IOException {
    List<Golden> kernels = ofModules();
    Graphs.expressions()
        .forEach(
            (name, node) -> {
              if (name.startsWith("primfunc-") && !name.equals(NOT_HELD)) {
                kernels.add(new Golden(name, name, node));
              }
            });
    Map<String, Integer> others = new TreeMap<>();
    int equal = 0;
    for (Golden golden : kernels) {
      Problems problems = new Problems();
      PrimFunc kernel = read(golden, problems).orElseThrow();
      NodeMaker nodes = new NodeMaker(Graphs.TYPES);
      ObjectNode written = KernelWriter.write(kernel, new ScalarWriter(nodes), nodes);
      if (StructuralEquality.areEqual(golden.node(), written, Graphs.TYPES, FREE)) {
        equal++;
      } else {
        others.merge(golden.name(), 1, Integer::sum);
      }
    }
    System.out.println("kernels equal to the original: " + equal + "; others: " + others);
    assertThat(others).isEqualTo(NARROW);
    assertThat(equal).isEqualTo(146);
  }

  @Test
  void aKernelThatCannotBeHeldSaysWhy() throws IOException {
    ObjectNode node = Graphs.expressions().get(NOT_HELD);
    assertThat(node).isNotNull();
    Problems problems = new Problems();
    assertThat(read(new Golden(NOT_HELD, "lowered", node), problems)).isEmpty();
    InvalidProgramException error =
        assertThrows(InvalidProgramException.class, () -> problems.throwIfAny("cannot read:"));
    System.out.println("golden kernels that are not held: " + NOT_HELD + ", " + error.getMessage());
    assertThat(error)
        .hasMessage(
            """
            cannot read:
              <root>.functions[I.GlobalVar("lowered")].body.seq[1].value: a call of\
             tirx.call_extern cannot be held\
            """);
  }

  @Test
  void kernelsAreThoseOfTheirText() throws IOException {
    int compared = 0;
    Map<String, String> scripts = Graphs.scripts();
    for (Map.Entry<String, ObjectNode> entry : Graphs.expressions().entrySet()) {
      String name = entry.getKey();
      if (name.startsWith("primfunc-") && !name.equals(NOT_HELD)) {
        String script = (scripts.get(name) + "").replaceAll("(?m)^\\w+ = TypeVar.*\n", "");
        PrimFunc parsed = rooted(TirText.parse(script, name).getFirst(), script);
        assertSameText(new Golden(name, parsed.name(), entry.getValue()), parsed);
        compared++;
      }
    }
    assertThat(compared).isEqualTo(HELD_EXPRESSIONS);
  }

  @Test
  void kernelsOfModulesAreThoseOfTheirText() throws IOException {
    int compared = 0;
    Map<String, String> files = Graphs.moduleFiles();
    for (Golden golden : ofModules()) {
      String script = files.get(golden.file().replace(".json", ".py.txt")) + "";
      assertSameText(golden, parse(script, golden.name()));
      compared++;
    }
    assertThat(compared).isEqualTo(HELD_IN_MODULES);
  }

  /** A kernel of the text of a module. */
  private static PrimFunc parse(String script, String name) {
    Set<String> symbols =
        Pattern.compile("(?m)^(\\w+) = TypeVar\\(")
            .matcher(script)
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());
    Matcher kernel =
        Pattern.compile(
                "(?m)^    @T\\.prim_func.*\\n    def "
                    + Pattern.quote(name)
                    + "\\(.*\\n(?:(?:        .*)?\\n)*")
            .matcher(script);
    assertThat(kernel.find()).as(name).isTrue();
    String text = kernel.group().replaceAll("(?m)^    ", "");
    TokenStream tokens = new TokenStream(new SourceText(name, text));
    return rooted(EmbeddedText.parseKernel(tokens, symbols).function(), text);
  }

  /** With the root block that the text of the original has in a comment if it has no buffers. */
  private static PrimFunc rooted(PrimFunc parsed, String text) {
    boolean hasRoot =
        parsed.body() instanceof BlockRealize realize && realize.block().name().equals(Block.ROOT);
    return hasRoot || !text.contains("# with T.sblock(\"root\"):")
        ? parsed
        : parsed.withBody(Block.root(List.of(), parsed.body()));
  }

  private static void assertSameText(Golden golden, PrimFunc parsed) {
    Problems problems = new Problems();
    PrimFunc kernel = read(golden, problems).orElseThrow();
    assertThat(org.relaxvm.tir.rewrite.StructuralEquality.areEqual(kernel, parsed))
        .withFailMessage(
            () ->
                golden.file()
                    + " read\n"
                    + TirText.print(kernel)
                    + "\nexpected\n"
                    + TirText.print(parsed))
        .isTrue();
  }
}
