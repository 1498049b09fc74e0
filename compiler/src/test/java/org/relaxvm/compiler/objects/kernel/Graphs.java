package org.relaxvm.compiler.objects.kernel;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.graph.ObjectGraph;

/** Graphs that Apache TVM wrote, and graphs of nodes. */
final class Graphs {
  static final ObjectTypes TYPES = ObjectTypes.discover();

  private static final Path FOLDER = Path.of("../../shared/golden/json");

  private Graphs() {}

  /** Expressions and kernels by name. */
  static Map<String, ObjectNode> expressions() throws IOException {
    Map<String, ObjectNode> expressions = new LinkedHashMap<>();
    for (String line : Files.readAllLines(require("exprs.jsonl"))) {
      Map<String, Object> fields = JSON.std.mapFrom(line);
      if (parse(fields.get("json") + "") instanceof ObjectNode node) {
        expressions.put(fields.get("name") + "", node);
      }
    }
    return expressions;
  }

  /** The TVMScript of expressions and kernels by name; empty where there is none. */
  static Map<String, String> scripts() throws IOException {
    Map<String, String> scripts = new LinkedHashMap<>();
    for (String line : Files.readAllLines(require("exprs.jsonl"))) {
      Map<String, Object> fields = JSON.std.mapFrom(line);
      Object script = fields.get("script");
      scripts.put(fields.get("name") + "", script == null ? "" : script.toString());
    }
    return scripts;
  }

  /** The files of the archive of modules, by name. */
  static Map<String, String> moduleFiles() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    try (InputStream in = Files.newInputStream(require("modules.zip"));
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return files;
  }

  /** The root of a graph. */
  static Object parse(String json) {
    return requireNonNull(ObjectGraph.parse(json, TYPES).root());
  }

  /** A node as JSON, read again. */
  static ObjectNode throughJson(ObjectNode node) {
    return (ObjectNode) parse(new ObjectGraph(node).toJson(TYPES));
  }

  private static Path require(String name) {
    Path file = FOLDER.resolve(name);
    if (!Files.isRegularFile(file)) {
      String reason = "no graphs of Apache TVM in " + FOLDER;
      System.out.println("skipped: " + reason);
      Assumptions.abort(reason);
    }
    return file;
  }
}
