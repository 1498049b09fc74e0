package org.relaxvm.integrationtests;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The project's published modules, as jars or class folders on the tests' own class path. */
public final class OurModules {
  /** The modules that use native code, as {@code --enable-native-access} wants them. */
  public static final String NATIVE =
      "org.relaxvm.api,org.relaxvm.machine,org.relaxvm.backendcpu,org.relaxvm.backendcuda,jcuda,org.relaxvm.backendopencl,jocl,org.lwjgl,org.lwjgl.vma,org.lwjgl.shaderc,org.lwjgl.vulkan";

  private static final String PREFIX = "org.relaxvm.";
  private static final List<String> LIBRARIES =
      List.of("jackson-", "jcuda-", "jocl-", "jspecify-", "lwjgl-", "picocli-", "slf4j-");

  private OurModules() {}

  /** All of them, by name. */
  public static List<ModuleReference> all() {
    return finder().findAll().stream()
        .filter(module -> module.descriptor().name().startsWith(PREFIX))
        .filter(module -> !module.descriptor().isAutomatic())
        .sorted(comparing(module -> module.descriptor().name()))
        .toList();
  }

  /** All of them and the libraries they need, as the value of {@code --module-path}. */
  public static String modulePath() {
    Stream<Path> ours = all().stream().map(module -> Path.of(module.location().orElseThrow()));
    Stream<Path> libraries =
        classPath().stream()
            .filter(
                entry ->
                    LIBRARIES.stream().anyMatch(String.valueOf(entry.getFileName())::startsWith));
    return Stream.concat(ours, libraries).map(Path::toString).collect(joining(File.pathSeparator));
  }

  /** {@link #classPath()} as the value of {@code --class-path}. */
  public static String classPathText() {
    return classPath().stream().map(Path::toString).collect(joining(File.pathSeparator));
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
