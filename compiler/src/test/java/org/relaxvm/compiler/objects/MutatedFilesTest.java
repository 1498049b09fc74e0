package org.relaxvm.compiler.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.kernel.KernelReader;
import org.relaxvm.compiler.objects.kernel.ScalarReader;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Files with graphs, changed at random, are read, or refused with a typed error. */
class MutatedFilesTest {
  private static final Path PROGRAMS = Path.of("../integration-tests/src/test/resources/programs");
  private static final Path GOLDEN = Path.of("../../shared/golden/json");
  private static final ObjectTypes TYPES = ObjectTypes.discover();
  private static final int MAX_LENGTH = 60_000;

  /** A number, a text or a keyword of JSON. */
  private static final Pattern TOKEN =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|-?\\d+(?:\\.\\d+)?|true|false|null");

  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "-1",
          "3",
          "64",
          "65537",
          "9223372036854775807",
          "-0.5",
          "1e300",
          "true",
          "null",
          "\"\"",
          "\"x\"",
          "\"int32\"",
          "\"int64\"",
          "\"float32\"",
          "\"bool\"",
          "\"float16x4\"",
          "[]",
          "{}",
          "[0]",
          "[0,0]");

  private enum Outcome {
    NO_GRAPH,
    NOT_HELD,
    READ
  }

  private static List<String> files() throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> programs = Files.list(PROGRAMS)) {
      for (Path file :
          programs.filter(each -> each.toString().endsWith(".relax")).sorted().toList()) {
        IRModule module =
            RelaxText.parse(Files.readString(file), file.toString(), StandardOps.registry());
        files.add(ModuleJson.toJson(module));
      }
    }
    if (Files.isDirectory(GOLDEN)) {
      files.addAll(GoldenModules.files(".json").values());
      for (String name : List.of("values.jsonl", "exprs.jsonl")) {
        for (Map<String, Object> line : GoldenModules.lines(name)) {
          files.add(line.get("json") + "");
        }
      }
    } else {
      System.out.println("no graphs of Apache TVM in " + GOLDEN);
    }
    files.removeIf(file -> file.length() > MAX_LENGTH);
    return files;
  }

  @Test
  void mutatedFilesAreReadOrRefusedWithATypedError() throws IOException {
    List<String> files = files();
    assertThat(files).hasSizeGreaterThan(200);
    RandomCases cases = RandomCases.of(Effort.chosen().pick(2_000, 20_000, 200_000));
    System.out.println("mutated files: " + cases + " of " + files.size() + " files");
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (long number : cases.numbers().toArray()) {
      SplittableRandom random = new SplittableRandom(cases.seed() * 31 + number);
      String mutated = mutated(files, random);
      try {
        outcomes.merge(read(mutated), 1, Integer::sum);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(cases.repeat(number) + "\n" + mutated, e);
      }
    }
    System.out.println("mutated files: " + outcomes);
    assertThat(cases.isSingle() || outcomes.keySet().size() == Outcome.values().length).isTrue();
  }

  private static Outcome read(String text) {
    @Nullable Object root;
    try {
      root = ObjectGraph.parse(text, TYPES).root();
      assertThat(new ObjectGraph(root).toJson(TYPES)).isNotBlank();
    } catch (RelaxException e) {
      assertThat(e.getMessage()).isNotBlank();
      return Outcome.NO_GRAPH;
    }
    try {
      Problems problems = new Problems();
      if (root instanceof ObjectNode node && node.type().isA("tirx.PrimFunc")) {
        KernelReader.read("f", node, new ScalarReader(problems), problems, "<root>");
        problems.throwIfAny("the kernel cannot be held");
      } else if (root != null) {
        IRModule module = ModuleObjects.read(root);
        assertThat(ModuleObjects.write(module, TYPES).type().key()).isEqualTo("ir.IRModule");
        assertThat(RelaxText.print(module)).isNotBlank();
      }
      return Outcome.READ;
    } catch (RelaxException e) {
      assertThat(e.getMessage()).isNotBlank();
      return Outcome.NOT_HELD;
    }
  }

  /** A file with one or two tokens changed; sometimes with other characters, or cut. */
  private static String mutated(List<String> files, SplittableRandom random) {
    String text = files.get(random.nextInt(files.size()));
    for (int i = random.nextInt(4) / 2; i >= 0; i--) {
      List<MatchResult> tokens = tokens(text);
      MatchResult token = tokens.get(random.nextInt(tokens.size()));
      text =
          text.substring(0, token.start())
              + other(token, tokens, random)
              + text.substring(token.end());
    }
    if (random.nextInt(20) == 0) {
      int at = random.nextInt(text.length());
      text = text.substring(0, at) + "{}[],:\"0-".charAt(random.nextInt(9)) + text.substring(at);
    }
    return random.nextInt(40) == 0 ? text.substring(0, random.nextInt(text.length())) : text;
  }

  /** All tokens but keys. */
  private static List<MatchResult> tokens(String text) {
    return TOKEN
        .matcher(text)
        .results()
        .filter(token -> !text.startsWith(":", token.end()))
        .toList();
  }

  private static String other(
      MatchResult token, List<MatchResult> tokens, SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> VALUES.get(random.nextInt(VALUES.size()));
      case 1 -> tokens.get(random.nextInt(tokens.size())).group();
      default -> sameKind(token.group(), tokens, random);
    };
  }

  /** Another token of the kind; such as another node, type or name. */
  private static String sameKind(String token, List<MatchResult> tokens, SplittableRandom random) {
    if (Character.isDigit(token.charAt(0)) && random.nextBoolean()) {
      return Long.toString(
          Math.max(0, Long.parseLong(token.split("\\.", 2)[0]) + random.nextInt(7) - 3));
    }
    for (int i = 0; i < 40; i++) {
      String chosen = tokens.get(random.nextInt(tokens.size())).group();
      if (chosen.charAt(0) == token.charAt(0)
          || Character.isDigit(token.charAt(0)) == Character.isDigit(chosen.charAt(0))) {
        return chosen;
      }
    }
    return token;
  }
}
