package org.relaxvm.integrationtests.rules;

import static java.util.Comparator.comparing;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The project's published modules, as jars or class folders on the tests' own class path. */
final class OurModules {
  private static final String PREFIX = "org.relaxvm.";

  private OurModules() {}

  static List<ModuleReference> all() {
    return finder().findAll().stream()
        .filter(module -> module.descriptor().name().startsWith(PREFIX))
        .filter(module -> !module.descriptor().isAutomatic())
        .sorted(comparing(module -> module.descriptor().name()))
        .toList();
  }

  private static ModuleFinder finder() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    return ModuleFinder.of(
        Arrays.stream(classPath.split(File.pathSeparator))
            .filter(entry -> entry.contains("relaxvm"))
            .map(Path::of)
            .toArray(Path[]::new));
  }
}
