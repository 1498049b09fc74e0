package org.relaxvm.integrationtests.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.integrationtests.ProjectRoot;

/**
 * A program of the corpus. Comments in front of the module say what {@code main} is run with:
 *
 * <pre>{@code
 * # What the program is about.
 * # run: n=3 m=2                       symbols of the parameters' types
 * # run: n=3 x=float32[3, 4] flag=true k=5 s=[2, 3]       and parameters of which they say less
 * # values x: from 0.5 to 2            random; without such a line from -2 to 2, integers -5 to 5
 * # values i: below n                  random from 0
 * # values y: of -1.5 0 nan            in turn
 * # tolerance: 1e-3 why it is not that of the dtype
 * }</pre>
 *
 * @param name of the file, without its ending
 * @param runs for each run what the line says
 * @param values what the lines say of parameters, by name
 * @param tolerance 0 for that of the dtype
 */
record ProgramFile(
    String name,
    String text,
    List<Map<String, String>> runs,
    Map<String, String> values,
    double tolerance) {
  static final Path FOLDER =
      ProjectRoot.path().resolve("integration-tests/src/test/resources/programs");

  /** All programs, by name. */
  static List<ProgramFile> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<ProgramFile> programs = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".relax")).sorted().toList()) {
        programs.add(read(file));
      }
      return programs;
    }
  }

  private static ProgramFile read(Path file) throws IOException {
    String text = Files.readString(file);
    List<Map<String, String>> runs = new ArrayList<>();
    Map<String, String> values = new LinkedHashMap<>();
    double tolerance = 0;
    for (String line : text.lines().takeWhile(each -> each.startsWith("#")).toList()) {
      String comment = line.substring(1).strip();
      int colon = comment.indexOf(':');
      String rest = comment.substring(colon + 1).strip();
      if (comment.startsWith("run:")) {
        runs.add(run(rest));
      } else if (comment.startsWith("values ")) {
        values.put(comment.substring("values ".length(), colon), rest);
      } else if (comment.startsWith("tolerance:")) {
        tolerance = Double.parseDouble(rest.split(" ", 2)[0]);
      }
    }
    String fileName = String.valueOf(file.getFileName());
    String name = fileName.substring(0, fileName.length() - ".relax".length());
    return new ProgramFile(name, text, runs, values, tolerance);
  }

  private static Map<String, String> run(String line) {
    Map<String, String> run = new LinkedHashMap<>();
    for (String word : line.replace(", ", ",").split(" +", -1)) {
      if (!word.isEmpty()) {
        String[] parts = word.split("=", 2);
        run.put(parts[0], parts[1]);
      }
    }
    return run;
  }

  IRModule module() {
    return RelaxText.parse(text, name, StandardOps.registry());
  }

  @Override
  public String toString() {
    return name;
  }
}
