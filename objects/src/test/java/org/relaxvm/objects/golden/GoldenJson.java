package org.relaxvm.objects.golden;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Assumptions;

/** Graphs that Apache TVM wrote. */
public final class GoldenJson {
  private static final Path FOLDER = Path.of("../../shared/golden/json");

  private GoldenJson() {}

  /** The lines of a file; the test is skipped where the folder is absent. */
  public static List<Map<String, Object>> lines(String name) throws IOException {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(require(name))) {
      lines.add(JSON.std.mapFrom(line));
    }
    return lines;
  }

  /** The object of a file; the test is skipped where the folder is absent. */
  public static Map<String, Object> object(String name) throws IOException {
    return JSON.std.mapFrom(Files.readString(require(name)));
  }

  /** The texts of the modules, by name. */
  public static Map<String, String> modules() throws IOException {
    Map<String, String> modules = new LinkedHashMap<>();
    try (InputStream in = Files.newInputStream(require("modules.zip"));
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(".json")) {
          modules.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return modules;
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
