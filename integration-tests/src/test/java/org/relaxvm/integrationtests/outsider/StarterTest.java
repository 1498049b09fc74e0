package org.relaxvm.integrationtests.outsider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.devices.NeedsDevice;
import org.relaxvm.integrationtests.process.ProcessRun;

/**
 * A user builds an application with Maven that knows the BOM, the starter and one backend only, and
 * runs a program with it. Everything happens in {@code target/starter}, which stays.
 */
class StarterTest {
  private static final Path ROOT = ProjectRoot.path();
  private static final Path SOURCES =
      ROOT.resolve("integration-tests/src/test/resources/outsider/digits");
  private static final Path WORK = ROOT.resolve("integration-tests/target/starter");
  private static final Path PROJECT = WORK.resolve("digits");
  private static final Path IMAGE = WORK.resolve("seven.npy");

  /** Artifacts that the application gets, by the folder of their module. */
  private static final List<String> MODULES =
      List.of(
          "api",
          "machine",
          "tir",
          "vm-core",
          "objects",
          "compiler",
          "builtins",
          "backend-cpu",
          "backend-support",
          "backend-opencl");

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    Optional<Path> maven = MavenRun.command();
    if (maven.isEmpty()) {
      System.out.println("StarterTest is skipped: there is no mvn on PATH");
    }
    Assumptions.assumeTrue(maven.isPresent(), "there is no mvn on PATH");
    OutsiderProject.delete(WORK);
    Map<String, Path> jars = PublishedJars.copyTo(WORK.resolve("published"));
    OutsiderRepository repository =
        OutsiderRepository.over(MavenRun.buildRepository(), WORK.resolve("repository"));
    repository.publish("relaxvm-parent", ROOT.resolve("pom.xml"));
    repository.publish("relaxvm-bom", ROOT.resolve("bom/pom.xml"));
    publish(repository, "relaxvm", "starter", jars);
    for (String module : MODULES) {
      publish(repository, "relaxvm-" + module, module, jars);
    }
    OutsiderProject.copySources(SOURCES, PROJECT);
    ProcessRun build = MavenRun.verify(maven.get(), PROJECT, repository.folder());
    assertThat(build.status()).as("%s%s", build.out(), build.err()).isZero();
    writeImage();
  }

  private static void publish(
      OutsiderRepository repository, String artifact, String module, Map<String, Path> jars)
      throws IOException {
    Path jar = Objects.requireNonNull(jars.get(module), module);
    repository.publish(artifact, ROOT.resolve(module).resolve("pom.xml"), jar);
  }

  private static void writeImage() throws IOException {
    BufferedImage picture =
        ImageIO.read(new File(ROOT.resolve("examples/digits/samples/seven.png").toString()));
    float[] darkness = new float[28 * 28];
    for (int i = 0; i < darkness.length; i++) {
      int x = (2 * (i % 28) + 1) * picture.getWidth() / 56;
      int y = (2 * (i / 28) + 1) * picture.getHeight() / 56;
      darkness[i] = 1 - (picture.getRGB(x, y) & 0xFF) / 255f;
    }
    try (Tensor image = Tensor.of(darkness, Shape.of(1, 1, 28, 28))) {
      Npy.write(IMAGE, image);
    }
  }

  private static float[] scores(String device) throws IOException, InterruptedException {
    List<String> words =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            PROJECT.resolve("target/classes") + File.pathSeparator + PROJECT + "/target/lib/*",
            "com.example.Digits",
            ROOT.resolve("examples/digits/digits.rvm").toString(),
            device,
            IMAGE.toString());
    ProcessRun run = ProcessRun.of(new ProcessBuilder(words));
    assertThat(run.status()).as(run.err()).isZero();
    String[] texts = run.out().strip().replaceAll("[\\[\\]]", "").split(", ");
    float[] scores = new float[texts.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = Float.parseFloat(texts[i]);
    }
    return scores;
  }

  private static int best(float[] scores) {
    int best = 0;
    for (int i = 0; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  @Test
  void theApplicationIsShortAndNamesNoAllocatorsAndStreams() throws IOException {
    List<String> lines =
        Files.readAllLines(SOURCES.resolve("src/main/java/com/example/Digits.java"));
    List<String> code =
        lines.stream()
            .filter(line -> !line.isBlank())
            .filter(line -> !line.startsWith("import ") && !line.startsWith("package "))
            .toList();
    assertThat(code).hasSizeLessThan(15);
    assertThat(lines).noneMatch(line -> line.contains("Allocator") || line.contains("Stream"));
  }

  @Test
  void itRunsOnTheCpu() throws IOException, InterruptedException {
    float[] scores = scores("cpu");
    assertThat(scores).hasSize(10);
    assertThat(best(scores)).isEqualTo(7);
  }

  @Test
  @NeedsDevice("opencl:0")
  void itRunsOnOpenClWithoutAChange() throws IOException, InterruptedException {
    assertThat(scores("opencl:0")).containsExactly(scores("cpu"), within(1e-4f));
  }

  @Test
  void theStarterBringsTheCpuAndNoOtherBackend() throws IOException {
    List<String> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(PROJECT.resolve("target/lib"))) {
      files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith("relaxvm"))
          .map(name -> name.replaceAll("-[0-9].*", ""))
          .sorted()
          .forEach(jars::add);
    }
    assertThat(jars)
        .containsExactly(
            "relaxvm",
            "relaxvm-api",
            "relaxvm-backend-cpu",
            "relaxvm-backend-opencl",
            "relaxvm-backend-support",
            "relaxvm-builtins",
            "relaxvm-compiler",
            "relaxvm-machine",
            "relaxvm-objects",
            "relaxvm-tir",
            "relaxvm-vm-core");
  }

  @Test
  void theBomHasEveryPublishedModuleInTheVersionOfTheParent() throws IOException {
    String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
    Matcher managed =
        Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>\\$\\{project.version}")
            .matcher(bom);
    List<String> artifacts = managed.results().map(match -> match.group(1)).sorted().toList();
    List<String> expected =
        OurModules.all().stream()
            .map(module -> Path.of(module.location().orElseThrow()))
            .map(built -> ROOT.relativize(built).getName(0).toString())
            .map(folder -> folder.equals("starter") ? "relaxvm" : "relaxvm-" + folder)
            .sorted()
            .toList();
    assertThat(artifacts).isEqualTo(expected);
    Pattern version =
        Pattern.compile("<artifactId>relaxvm-(?:bom|parent)</artifactId>\\s*<version>([^<]+)<");
    assertThat(version.matcher(bom).results().map(match -> match.group(1)))
        .containsExactlyElementsOf(
            version
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .toList());
  }
}
