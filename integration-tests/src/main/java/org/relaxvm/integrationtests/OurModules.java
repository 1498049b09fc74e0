package org.relaxvm.integrationtests;

import static java.util.Comparator.comparing;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The project's published modules, as jars or class folders on the tests' own class path. */
public final class OurModules {
  private static final String PREFIX = "org.relaxvm.";

  private OurModules() {}

  /** All of them, by name. */
  public static List<ModuleReference> all() {
    return finder().findAll().stream()
        .filter(module -> module.descriptor().name().startsWith(PREFIX))
        .filter(module -> !module.descriptor().isAutomatic())
        .sorted(comparing(module -> module.descriptor().name()))
        .toList();
  }

  /** The tests' class path. Surefire's own start-up jar stands for it in the usual property. */
  public static List<Path> classPath() {
    String entries =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    return Arrays.stream(entries.split(File.pathSeparator)).map(Path::of).toList();
  }

  private static ModuleFinder finder() {
    return ModuleFinder.of(
        classPath().stream()
            .filter(entry -> entry.startsWith(ProjectRoot.path()))
            .toArray(Path[]::new));
  }
}
