package org.relaxvm.compiler.objects;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;

/** Modules that Apache TVM wrote, as graphs and as texts. */
final class GoldenModules {
  private static final Path FILE = Path.of("../../shared/golden/json/modules.zip");
  private static final String METADATA_START = "metadata = tvm.ir.load_json(\"\"\"";
  private static final String METADATA_END = "\"\"\")\n";

  private GoldenModules() {}

  /** The texts of all files that end in something, by their names without that. */
  static SortedMap<String, String> files(String ending) throws IOException {
    if (!Files.isRegularFile(FILE)) {
      String reason = "no modules of Apache TVM at " + FILE;
      System.out.println("skipped: " + reason);
      Assumptions.abort(reason);
    }
    SortedMap<String, String> files = new TreeMap<>();
    try (InputStream in = Files.newInputStream(FILE);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(ending)) {
          String name = entry.getName().substring(0, entry.getName().length() - ending.length());
          files.put(name, new String(zip.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return files;
  }

  /** The lines of a file beside the modules. */
  static List<Map<String, Object>> lines(String name) throws IOException {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(FILE.resolveSibling(name))) {
      lines.add(JSON.std.mapFrom(line));
    }
    return lines;
  }

  /** The module of a text, whose constants are in a graph at its beginning. */
  static IRModule parse(String name, String script, ObjectTypes types) {
    int start = script.indexOf(METADATA_START);
    if (start < 0) {
      return rooted(script, RelaxText.parse(script, name, StandardOps.registry()));
    }
    int end = script.indexOf(METADATA_END, start);
    String graph =
        script
            .substring(start + METADATA_START.length(), end)
            .replace("\\\"", "\"")
            .replace("\\\\", "\\");
    IRModule module =
        RelaxText.parse(
            script.substring(end + METADATA_END.length()),
            name,
            StandardOps.registry(),
            constants(ObjectGraph.parse(graph, types).root()));
    return rooted(script, module);
  }

  /** With the root blocks that the text of the original has in comments; not in host functions. */
  private static IRModule rooted(String script, IRModule module) {
    IRModule rooted = module;
    for (Map.Entry<GlobalVar, KernelFunction> entry : module.kernels().entrySet()) {
      PrimFunc kernel = entry.getValue().kernel();
      boolean hasRoot =
          kernel.body() instanceof BlockRealize realize
              && realize.block().name().equals(Block.ROOT);
      boolean isOnHost =
          kernel.attrs().keySet().stream().anyMatch(key -> key.endsWith("is_host_func"));
      if (!hasRoot && !isOnHost && script.contains("# with T.sblock(\"root\"):")) {
        PrimFunc with = kernel.withBody(Block.root(List.of(), kernel.body()));
        rooted = rooted.with(entry.getKey(), new KernelFunction(with));
      }
    }
    return rooted;
  }

  private static List<Tensor> constants(@Nullable Object metadata) {
    if (metadata instanceof Map<?, ?> map
        && map.get("relax.expr.Constant") instanceof List<?> constants) {
      return constants.stream()
          .map(constant -> (Tensor) ObjectView.of((ObjectNode) constant).get("data"))
          .toList();
    }
    return List.of();
  }

  /**
   * The same module as Relax IR holds it: targets have no attributes, and the axes of blocks are
   * int64. (Those of kernels of tensors without axes are int32 in the original.)
   */
  static Object normalized(Object root, ObjectTypes types) {
    Set<Object> indices = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ObjectNode node : Graphs.nodes(root)) {
      ObjectView view = ObjectView.of(node);
      if (node.type().key().equals("tirx.IterVar")) {
        indices.addAll(Graphs.nodes(view.get("dom")));
        indices.add(requireNonNull(view.get("var")));
      } else if (node.type().key().equals("tirx.SBlockRealize")) {
        indices.addAll(Graphs.nodes(view.get("iter_values")));
      }
    }
    ObjectNode int64 = new NodeMaker(types).scalarType(DType.INT64);
    return requireNonNull(
        Graphs.changed(
            root,
            (node, field) -> {
              Object value = ObjectView.of(node).get(field.name());
              if (node.type().key().equals("target.Target") && field.name().equals("attrs")) {
                return Optional.of(new Graphs.Change(Map.of()));
              }
              return indices.contains(node) && isInt32(value)
                  ? Optional.of(new Graphs.Change(int64))
                  : Optional.empty();
            }));
  }

  private static boolean isInt32(@Nullable Object value) {
    return value instanceof ObjectNode type
        && type.type().key().equals("ir.PrimType")
        && DType.INT32.equals(ObjectView.of(type).get("dtype"));
  }
}
