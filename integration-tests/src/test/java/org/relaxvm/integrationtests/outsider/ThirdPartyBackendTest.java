package org.relaxvm.integrationtests.outsider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.process.ProcessRun;

/**
 * An outsider builds the example of a backend with Maven, drops its jar into a folder and runs a
 * program on it. Everything happens in {@code target/outsider}, which stays for a look at it.
 */
@Tag("full")
class ThirdPartyBackendTest {
  private static final Path ROOT = ProjectRoot.path();
  private static final Path DIGITS = ROOT.resolve("examples/digits/digits-library.rvm");
  private static final Path SEVEN = ROOT.resolve("examples/digits/samples/seven.png");
  private static final List<String> LIBRARIES =
      List.of("jackson-", "jspecify-", "picocli-", "slf4j-");

  private static final Path WORK = ROOT.resolve("integration-tests/target/outsider");
  private static final Path PROJECT = WORK.resolve("third-party-backend");
  private static final Path INSTALLED = WORK.resolve("relaxvm");
  private static final Path PLUGINS = WORK.resolve("plugins");

  private static ProcessRun build;

  @BeforeAll
  static void buildAndInstall() throws IOException, InterruptedException {
    Optional<Path> maven = MavenRun.command();
    if (maven.isEmpty()) {
      System.out.println("ThirdPartyBackendTest is skipped: there is no mvn on PATH");
    }
    Assumptions.assumeTrue(maven.isPresent(), "there is no mvn on PATH");
    OutsiderProject.delete(WORK);
    Map<String, Path> jars = PublishedJars.copyTo(INSTALLED.resolve("lib"));
    OutsiderRepository repository =
        OutsiderRepository.over(MavenRun.buildRepository(), WORK.resolve("repository"));
    repository.publish("relaxvm-parent", ROOT.resolve("pom.xml"));
    for (String module : List.of("api", "tir", "test-support", "backend-testkit")) {
      Path pom = ROOT.resolve(module).resolve("pom.xml");
      repository.publish("relaxvm-" + module, pom, Objects.requireNonNull(jars.get(module)));
    }
    OutsiderProject.copySources(ROOT.resolve("examples/third-party-backend"), PROJECT);
    build = MavenRun.verify(maven.get(), PROJECT, repository.folder());
    assertThat(build.status()).as("%s%s", build.out(), build.err()).isZero();
    installCommand();
    Files.createDirectories(PLUGINS);
    Files.copy(builtJar(), PLUGINS.resolve("metering.jar"));
  }

  /** What the JVM says when it is given the module of the Vector API. */
  private static final String VECTORS = "WARNING: Using incubator modules: jdk.incubator.vector\n";

  @Test
  void theExamplePassesTheConformanceKit() throws IOException {
    assertThat(build.out())
        .containsPattern("Tests run: [0-9]+, Failures: 0, Errors: 0, Skipped: [0-9]+\n");
    String report =
        Files.readString(
            PROJECT.resolve(
                "target/surefire-reports/TEST-com.example.metering.MeteringConformanceTest.xml"));
    assertThat(report.lines().filter(line -> line.contains("<skipped")))
        .isNotEmpty()
        .allMatch(line -> line.contains("streams of metering:0 record no work"));
    assertThat(report)
        .contains(
            "theServiceFileListsTheProviderWhenItIsDiscoverable",
            "moreMemoryThanThereIsIsRefusedAndTheDeviceStaysUsable",
            "tensorsOfAllSizesGoToTheDeviceAndBack",
            "workOfOneStreamTakesEffectInOrder",
            "aDeviceIsALoaderExactlyWhenItTakesModules",
            "everyKernelEqualsItsDefinitionForEveryDType",
            "kernelsOfManyThreadsDoNotMix",
            "aClosedDeviceRefusesEverythingUnlessItHoldsNothing");
  }

  @Test
  void theDoctorListsTheDevice() throws IOException, InterruptedException {
    ProcessRun doctor = relaxvm("", "doctor");
    assertThat(doctor.err()).isEqualTo(VECTORS);
    assertThat(doctor.out())
        .contains(
            "  ok       metering  " + PLUGINS.resolve("metering.jar") + "\n",
            "      metering:0  counts copies and operations\n",
            "logged by com.example.metering.MeteringDevice at info when the device closes");
  }

  @Test
  void aProgramGivesTheSameScoresAsOnTheCpu() throws IOException, InterruptedException {
    Path there = WORK.resolve("metering.npy");
    Path here = WORK.resolve("cpu.npy");
    ProcessRun metering =
        relaxvm("", "run", DIGITS, SEVEN, "--device", "metering:0", "--output", there);
    assertThat(metering.err()).isEqualTo(VECTORS);
    assertThat(metering.out()).startsWith("7\n");
    ProcessRun cpu = relaxvm("", "run", DIGITS, SEVEN, "--output", here);
    assertThat(cpu.out()).isEqualTo(metering.out());
    try (Tensor scores = Npy.read(there);
        Tensor expected = Npy.read(here)) {
      assertThat(scores.shape()).isEqualTo(expected.shape());
      assertThat(scores.toFloatArray()).containsExactly(expected.toFloatArray(), within(1e-5f));
    }
  }

  @Test
  void theDeviceSaysWhatItDid() throws IOException, InterruptedException {
    ProcessRun run =
        relaxvm(
            "-Dorg.slf4j.simpleLogger.log.com.example.metering=info",
            "run",
            DIGITS,
            SEVEN,
            "--device",
            "metering:0");
    // Ten tensors of weights and the picture; seven kernels.
    assertThat(run.err())
        .matches(
            VECTORS
                + "INFO metering:0: .*; 9 copies in \\(211,688 bytes\\); [1-9] copies out \\(.*\\);"
                + " 0 copies within \\(0 bytes\\); 7 kernel calls \\([1-9][0-9,]+ operations\\)\n");
  }

  @Test
  void theJarIsAModuleThatProvidesTheBackend() {
    ModuleReference module = ModuleFinder.of(builtJar()).findAll().iterator().next();
    assertThat(module.descriptor().isAutomatic()).isFalse();
    assertThat(module.descriptor().provides())
        .extracting(ModuleDescriptor.Provides::service)
        .containsExactly(BackendProvider.class.getName());
  }

  private static Path builtJar() {
    return PROJECT.resolve("target/metering-backend-1.0.jar");
  }

  /** The command as it is without sources: the script beside a folder of jars. */
  private static void installCommand() throws IOException {
    Files.copy(ROOT.resolve("relaxvm"), INSTALLED.resolve("relaxvm"));
    for (Path entry : OurModules.classPath()) {
      String name = String.valueOf(entry.getFileName());
      if (LIBRARIES.stream().anyMatch(name::startsWith)) {
        Files.copy(entry, INSTALLED.resolve("lib").resolve(name));
      }
    }
  }

  private static ProcessRun relaxvm(String javaOptions, Object... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    Collections.addAll(words, "sh", INSTALLED.resolve("relaxvm").toString());
    Collections.addAll(words, "--plugins", PLUGINS.toString());
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("RELAXVM_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("RELAXVM_JAVA_OPTS", javaOptions);
    return ProcessRun.of(builder);
  }
}
