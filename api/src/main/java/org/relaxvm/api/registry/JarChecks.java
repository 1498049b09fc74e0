package org.relaxvm.api.registry;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.Origins;
import org.relaxvm.api.discovery.ServiceFiles;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.FunctionProvider;

/**
 * Finds the jars that the JVM passes over in silence: those it cannot read, those whose providers
 * are declared where it does not look, and those that another jar shadows. Reads files and loads
 * nothing.
 *
 * <p>Rationale: docs/rationale/cli.md, "Why are plugin jars opened only when something is missing
 * or asked for?"
 */
final class JarChecks {
  private static final String COPY_AGAIN = "copy, download or build the jar again, or remove it";

  private final List<ClassLoader> loaders;
  private final List<Diagnosis> found = new ArrayList<>();

  private JarChecks(List<ClassLoader> loaders) {
    this.loaders = loaders;
  }

  /**
   * The jars at fault, in order of the search path.
   *
   * @param origins where providers were found, whether good or bad
   */
  static List<Diagnosis> diagnose(List<ClassLoader> loaders, Set<String> origins) {
    if (loaders.isEmpty()) {
      return List.of();
    }
    JarChecks checks = new JarChecks(loaders);
    SequencedSet<Path> classPath = new LinkedHashSet<>();
    loaders.forEach(loader -> classPath.addAll(SearchPath.ofClasses(loader)));
    classPath.forEach(checks::checkOnClassPath);
    checks.checkShadowed(BackendProvider.class);
    checks.checkShadowed(FunctionProvider.class);
    for (Path module : SearchPath.ofModules()) {
      if (BackendRegistry.class.getModule().isNamed()) {
        checks.checkOnModulePath(module);
      } else if (!origins.contains(Origins.of(module))) {
        checks.checkBesideClassPath(module);
      }
    }
    return checks.found;
  }

  private void checkOnClassPath(Path entry) {
    Optional<JarContent> readable = read(entry);
    if (readable.isEmpty()) {
      return;
    }
    JarContent content = readable.get();
    Set<String> undeclared = without(content.provided(), content.listed());
    if (!undeclared.isEmpty()) {
      broken(
          entry,
          "its module-info provides "
              + String.join(" and ", undeclared)
              + ", but META-INF/services does not list it, and on the class path only that counts",
          "put the jar on the module path together with RelaxVM, or use a version of it that has"
              + " the file "
              + filesOf(undeclared));
    }
  }

  private void checkOnModulePath(Path entry) {
    Optional<JarContent> readable = read(entry);
    if (readable.isEmpty() || readable.get().provided() == null) {
      return; // Without module-info it is an automatic module, for which the service files count.
    }
    Set<String> unprovided = without(readable.get().listed(), readable.get().provided());
    if (!unprovided.isEmpty()) {
      broken(
          entry,
          "META-INF/services lists "
              + String.join(" and ", unprovided)
              + ", but its module-info does not provide it, and on the module path only that"
              + " counts",
          "put the jar on the class path, or use a version of it whose module-info says 'provides "
              + String.join(" with ...' and 'provides ", unprovided)
              + " with ...'");
    }
  }

  /** A module while RelaxVM is on the class path: the JVM does not even resolve it. */
  private void checkBesideClassPath(Path entry) {
    Optional<JarContent> readable = read(entry);
    if (readable.isEmpty()) {
      return;
    }
    Set<String> provided = readable.get().provided();
    Set<String> offered = provided == null ? readable.get().listed() : provided;
    if (!offered.isEmpty()) {
      broken(
          entry,
          "it is on the module path, but RelaxVM is on the class path, so that its "
              + String.join(" and ", offered)
              + " is not looked for",
          "put the jar on the class path, or RelaxVM on the module path as well");
    }
  }

  private void checkShadowed(Class<?> service) {
    // Which jar is shadowed by which, and in what.
    Map<List<String>, SequencedSet<String>> classes = new LinkedHashMap<>();
    for (ClassLoader loader : loaders) {
      ServiceFiles.listed(service, loader)
          .forEach(
              (name, origins) -> {
                for (String later : origins) {
                  if (!later.equals(origins.getFirst())) {
                    classes
                        .computeIfAbsent(
                            List.of(later, origins.getFirst()), _ -> new LinkedHashSet<>())
                        .add(name);
                  }
                }
              });
    }
    classes.forEach(
        (jars, names) ->
            broken(
                jars.getFirst(),
                "it offers "
                    + String.join(" and ", names)
                    + ", as does "
                    + jars.getLast()
                    + ", which comes first and is the one that is used",
                "remove one of the two jars"));
  }

  /** What is in an entry; empty, and told, when it is a jar that cannot be read. */
  private Optional<JarContent> read(Path entry) {
    boolean jar = SearchPath.isNamedAsJar(entry);
    if (!jar && !Files.isDirectory(entry)) {
      return Optional.empty();
    }
    try {
      if (Files.isDirectory(entry) && jar && isEmpty(entry)) {
        broken(entry, "it is an empty folder, not a jar", "put the jar in its place, or remove it");
        return Optional.empty();
      }
      return Optional.of(JarContent.of(entry));
    } catch (IOException e) {
      if (jar) {
        unreadable(entry, e);
      }
      return Optional.empty();
    }
  }

  private void unreadable(Path jar, IOException failure) {
    try {
      if (!Files.exists(jar)) {
        if (Files.isSymbolicLink(jar)) {
          String target = Files.readSymbolicLink(jar).toString();
          broken(
              jar,
              "it is a link to " + target + ", which does not exist",
              "correct the link, or remove it");
        } else {
          broken(jar, "it does not exist", "correct the class path, or put the jar there");
        }
      } else if (!Files.isReadable(jar)) {
        broken(jar, "this user may not read it", "allow reading it (chmod +r), or remove it");
      } else if (Files.size(jar) == 0) {
        broken(jar, "it is an empty file", COPY_AGAIN);
      } else if (startsAsZip(jar)) {
        broken(jar, "it is cut short or damaged: " + failure.getMessage(), COPY_AGAIN);
      } else {
        broken(jar, "it is not a jar, whatever its name says", COPY_AGAIN);
      }
    } catch (IOException e) {
      broken(jar, "it cannot be read: " + e, COPY_AGAIN);
    }
  }

  private static boolean startsAsZip(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == 'P' && in.read() == 'K';
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
      return !children.iterator().hasNext();
    }
  }

  private static Set<String> without(@Nullable Set<String> all, @Nullable Set<String> less) {
    Set<String> left = new TreeSet<>(all == null ? Set.of() : all);
    left.removeAll(less == null ? Set.of() : less);
    return left;
  }

  private static String filesOf(Set<String> services) {
    return ServiceFiles.FOLDER + String.join(" and " + ServiceFiles.FOLDER, services);
  }

  private void broken(Path jar, String detail, String remedy) {
    broken(Origins.of(jar), detail, remedy);
  }

  private void broken(String origin, String detail, String remedy) {
    Diagnosis diagnosis =
        new Diagnosis(
            Diagnosis.Role.JAR,
            origin.substring(origin.lastIndexOf(File.separatorChar) + 1),
            "",
            origin,
            Diagnosis.State.BROKEN,
            detail,
            remedy,
            List.of(),
            Map.of(),
            List.of());
    if (!found.contains(diagnosis)) {
      found.add(diagnosis);
    }
  }
}
