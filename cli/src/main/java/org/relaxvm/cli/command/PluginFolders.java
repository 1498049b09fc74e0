package org.relaxvm.cli.command;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.relaxvm.api.registry.Diagnosis;

/** The folders whose jars the launcher put on the class path. */
final class PluginFolders {
  private PluginFolders() {}

  /** Their names, as the launcher was given them. */
  static List<String> names() {
    return Arrays.stream(System.getProperty("relaxvm.plugins", "").split(File.pathSeparator, -1))
        .filter(folder -> !folder.isBlank())
        .toList();
  }

  /**
   * A diagnosis for each jar in them that offers nothing.
   *
   * @param origins the jars of which there is something else to say
   */
  static List<Diagnosis> diagnoses(Set<String> origins) {
    Set<Path> known =
        origins.stream().map(origin -> real(Path.of(origin))).collect(Collectors.toSet());
    List<Diagnosis> diagnoses = new ArrayList<>();
    for (String folder : names()) {
      for (Path jar : jarsIn(Path.of(folder))) {
        if (!known.contains(real(jar))) {
          diagnoses.add(diagnosisOf(jar));
        }
      }
    }
    return diagnoses;
  }

  private static Diagnosis diagnosisOf(Path jar) {
    return new Diagnosis(
        Diagnosis.Role.JAR,
        String.valueOf(jar.getFileName()),
        "",
        jar.toAbsolutePath().normalize().toString(),
        Diagnosis.State.USABLE,
        "it offers nothing itself, which is right for a library that a plugin needs",
        "nothing for a library; a plugin must list its providers in META-INF/services",
        List.of(),
        Map.of(),
        List.of());
  }

  private static Set<Path> jarsIn(Path folder) {
    Set<Path> jars = new TreeSet<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
      found.forEach(jars::add);
    } catch (IOException | DirectoryIteratorException _) {
      return jars; // The launcher has refused a folder that does not exist.
    }
    return jars;
  }

  /** The path without links, since origins are told without them. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException _) {
      return path.toAbsolutePath().normalize();
    }
  }
}
