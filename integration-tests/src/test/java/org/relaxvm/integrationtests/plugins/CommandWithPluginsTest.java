package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.process.ProcessRun;
import org.relaxvm.vmcore.program.ProgramReader;

/** What a user reads who has bad jars in a plugin folder, with a JVM as the launcher starts it. */
class CommandWithPluginsTest {
  @TempDir Path folder;
  private Path throwing;
  private Path truncated;
  private Path library;
  private Path good;

  @BeforeEach
  void fillFolder() {
    throwing = BadJar.CONSTRUCTOR_THROWS.in(folder);
    truncated = BadJar.TRUNCATED_FILE.in(folder);
    good = GoodPlugin.in(folder);
    library =
        new JarBuilder()
            .source("lib/Lib.java", "package lib; public class Lib {}")
            .build(folder.resolve("lib.jar"));
  }

  @Test
  void doctorListsEveryJarOfThePluginFolder() throws Exception {
    ProcessRun jvm = run("doctor");
    assertThat(jvm.err()).isEmpty();
    assertThat(jvm.status()).isZero();
    assertThat(jvm.out())
        .contains("Plugin folders\n  " + folder + "\nBackends\n")
        .contains(
            """
              ok       acme  %s
                  always
                  kernel cache  3 kernels
                  acme:0  acme
                    memory  unknown
              broken   construct.Provider  %s
                  its constructor failed: java.lang.RuntimeException: no
                  what to do: replace or remove the jar
            Function providers
            """
                .formatted(good, throwing))
        .endsWith(
            """
            Other jars
              broken   truncated_file.jar  %s
                  it is cut short or damaged: zip END header not found
                  what to do: copy, download or build the jar again, or remove it
              note     lib.jar  %s
                  it offers nothing itself, which is right for a library that a plugin needs
                  what to do: nothing for a library; a plugin must list its providers in \
            META-INF/services
            """
                .formatted(truncated, library));
  }

  @Test
  void doctorListsProgramReadersGoodAndBad() throws Exception {
    Path reading = reader("reading", "");
    Path failing = reader("failing", "if (true) throw new IllegalStateException(\"no\");");
    ProcessRun jvm = run("doctor");
    assertThat(jvm.err()).isEmpty();
    assertThat(jvm.out())
        .contains(
            "\n  ok       reading  " + reading + "\n      nothing at all\n",
            "\n  broken   the program reader failing.Reader ("
                + failing
                + ") cannot be used: java.lang.IllegalStateException: no; replace or remove the"
                + " jar\nOther jars\n")
        .doesNotContain("note     reading.jar");
    Map<String, Object> json = JSON.std.mapFrom(run("doctor", "--json").out());
    assertThat(json.get("program_readers"))
        .asInstanceOf(LIST)
        .contains(
            Map.of(
                "name", "reading",
                "detail", "nothing at all",
                "class", "reading.Reader",
                "origin", reading.toString()));
    assertThat(json.get("program_reader_problems")).asInstanceOf(LIST).hasSize(1);
  }

  private Path reader(String name, String inVersion) {
    return new JarBuilder()
        .source(
            name + "/Reader.java",
            """
            package %1$s;
            import java.nio.file.Path;
            import org.relaxvm.vmcore.program.*;
            public class Reader implements ProgramReader {
              public int spiVersion() { %2$s return SPI_VERSION; }
              public String name() { return "%1$s"; }
              public String describe() { return "nothing at all"; }
              public boolean accepts(FileHead head) { return false; }
              public Program read(Path path, LoadOptions options) { return null; }
            }
            """
                .formatted(name, inVersion))
        .service(ProgramReader.class, name + ".Reader")
        .build(folder.resolve(name + ".jar"));
  }

  @Test
  void doctorListsTheSameAsJson() throws Exception {
    ProcessRun jvm = run("doctor", "--json");
    assertThat(jvm.status()).isZero();
    assertThat(JSON.std.mapFrom(jvm.out()).get("providers"))
        .asInstanceOf(LIST)
        .contains(
            Map.of(
                "role", "jar",
                "name", "truncated_file.jar",
                "class", "",
                "origin", truncated.toString(),
                "state", "broken",
                "detail", "it is cut short or damaged: zip END header not found",
                "remedy", "copy, download or build the jar again, or remove it",
                "devices", List.of(),
                "facts", Map.of()),
            Map.of(
                "role", "backend",
                "name", "construct.Provider",
                "class", "construct.Provider",
                "origin", throwing.toString(),
                "state", "broken",
                "detail", "its constructor failed: java.lang.RuntimeException: no",
                "remedy", "replace or remove the jar",
                "devices", List.of(),
                "facts", Map.of()),
            Map.of(
                "role", "jar",
                "name", "lib.jar",
                "class", "",
                "origin", library.toString(),
                "state", "usable",
                "detail",
                    "it offers nothing itself, which is right for a library that a plugin needs",
                "remedy",
                    "nothing for a library; a plugin must list its providers in META-INF/services",
                "devices", List.of(),
                "facts", Map.of()),
            Map.of(
                "role", "backend",
                "name", "acme",
                "class", "acme.AcmeProvider",
                "origin", good.toString(),
                "state", "usable",
                "detail", "always",
                "remedy", "",
                "devices",
                    List.of(
                        Map.of(
                            "id",
                            "acme:0",
                            "name",
                            "acme",
                            "memory_bytes",
                            0,
                            "details",
                            Map.of())),
                "facts", Map.of("kernel cache", "3 kernels")));
  }

  @Test
  void runOnADeviceThatABadJarMayHaveOfferedSaysWhyInOneMessage() throws Exception {
    ProcessRun jvm =
        run(
            "run",
            "../examples/digits/digits-library.rvm",
            "random:1x1x28x28",
            "--device",
            "npu:1");
    assertThat(jvm.out()).isEmpty();
    assertThat(jvm.status()).isEqualTo(1);
    assertThat(jvm.err())
        .startsWith("relaxvm: error: no backend offers device npu:1\n  backends: cpu (")
        .endsWith(
            """
                        acme (%s) usable: always
                        construct.Provider (%s) broken: its constructor failed: \
            java.lang.RuntimeException: no; replace or remove the jar
              bad jars: truncated_file.jar (%s) broken: it is cut short or damaged: zip END header \
            not found; copy, download or build the jar again, or remove it
              what to do: choose one of them, or put the backend's jar on the class path or in the \
            folder plugins/
            """
                .formatted(good, throwing, truncated));
  }

  @Test
  void runOnADeviceWhoseNativeLibraryIsAbsentNamesLibraryAndJar() throws Exception {
    Path jar = BadJar.LOOKED_UP_LIBRARY_ABSENT.in(folder);
    ProcessRun jvm =
        run(
            "run",
            "../examples/digits/digits-library.rvm",
            "random:1x1x28x28",
            "--device",
            "lookup");
    assertThat(jvm.out()).isEmpty();
    assertThat(jvm.status()).isEqualTo(1);
    assertThat(jvm.err())
        .isEqualTo(
            "relaxvm: error: device lookup:0 cannot be used: opening it failed: a"
                + " native library is missing: Cannot open library: libnosuch.so\n"
                + "  backend: lookup ("
                + jar
                + ")\n  what to do: "
                + BadJar.INSTALL_LIBRARY
                + "\n");
  }

  @Test
  void aFunctionThatABadJarMayHaveOfferedIsMissedWithTheJar() throws Exception {
    Path jar = BadJar.FUNCTIONS_CLASS_ABSENT.in(folder);
    Path program =
        Files.writeString(
            folder.resolve("program.txt"),
            """
            relaxvm-text 1
            @main(x):
              call  lost.f in: %0 dst: %1
              ret   %1
            """);
    ProcessRun jvm = run("run", program.toString(), "1");
    assertThat(jvm.status()).isEqualTo(1);
    assertThat(jvm.err())
        .contains(
            "\n  jars that could not be searched:\n    "
                + BadJar.FUNCTIONS_CLASS_ABSENT.messageFor(jar)
                + "\n    "
                + BadJar.TRUNCATED_FILE.messageFor(truncated)
                + "\n  what to do: add the jar that provides them, ");
  }

  private ProcessRun run(Object... arguments) throws IOException, InterruptedException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
      found.forEach(jars::add);
    }
    jars.sort(null);
    List<String> flags =
        List.of("--enable-native-access=ALL-UNNAMED", "-Drelaxvm.plugins=" + folder);
    return CommandInJvm.onClassPath(jars, flags, arguments);
  }
}
