package org.relaxvm.integrationtests.outsider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.ProjectRoot;

/** The jars of the published modules, as this very build made them. */
final class PublishedJars {
  private PublishedJars() {}

  /**
   * Puts them into a folder. Where the build stopped before it packed them ({@code mvn test}), they
   * are packed here.
   *
   * @return the jars by the folder of their module, such as {@code api}
   */
  static Map<String, Path> copyTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    Map<String, Path> jars = new TreeMap<>();
    for (ModuleReference module : OurModules.all()) {
      Path built = Path.of(module.location().orElseThrow());
      String name = ProjectRoot.path().relativize(built).getName(0).toString();
      Path jar = folder.resolve("relaxvm-" + name + ".jar");
      if (Files.isDirectory(built)) {
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        String[] arguments = {"--create", "--file", jar.toString(), "-C", built.toString(), "."};
        assertThat(tool.run(System.out, System.err, arguments)).as("jar of %s", built).isZero();
      } else {
        Files.copy(built, jar);
      }
      jars.put(name, jar);
    }
    return jars;
  }
}
