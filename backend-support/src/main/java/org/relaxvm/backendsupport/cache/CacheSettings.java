package org.relaxvm.backendsupport.cache;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.BackendOptions;

/**
 * Where compiled kernels are kept. Immutable.
 *
 * @param folder whose files the cache owns as far as they have its names; empty when it is off
 * @param limitBytes most bytes that all entries together take
 * @param origin what decided, for people: a property, an environment variable, the platform
 * @param problems settings that could not be understood; each says what is used instead
 */
public record CacheSettings(
    Optional<Path> folder, long limitBytes, String origin, List<String> problems) {
  /** System property with a folder, or {@code off}. Goes before the environment. */
  public static final String FOLDER_PROPERTY = "relaxvm.kernelCache";

  /** Environment variable with a folder, or {@code off}. */
  public static final String FOLDER_VARIABLE = "RELAXVM_KERNEL_CACHE";

  /** System property with the limit in MiB. Goes before the environment. */
  public static final String LIMIT_PROPERTY = "relaxvm.kernelCacheMib";

  /** Environment variable with the limit in MiB. */
  public static final String LIMIT_VARIABLE = "RELAXVM_KERNEL_CACHE_MIB";

  /** The limit unless something else is asked for. */
  public static final long DEFAULT_LIMIT_MIB = 512;

  private static final long MIB = 1 << 20;
  private static final long MOST_MIB = Long.MAX_VALUE / MIB;

  /** Copies the list. */
  public CacheSettings {
    problems = List.copyOf(problems);
  }

  /** A cache in this folder with the default limit. */
  public static CacheSettings in(Path folder) {
    return in(folder, DEFAULT_LIMIT_MIB * MIB);
  }

  /** A cache in this folder. */
  public static CacheSettings in(Path folder, long limitBytes) {
    return new CacheSettings(Optional.of(folder), limitBytes, "the program", List.of());
  }

  /** No cache. */
  public static CacheSettings off() {
    return new CacheSettings(Optional.empty(), 0, "the program", List.of());
  }

  /** What this process was told by its properties and its environment. */
  public static CacheSettings ofProcess() {
    return of(System::getProperty, System::getenv);
  }

  /** As {@link #ofProcess}, with the options of a backend before the properties. */
  public static CacheSettings of(BackendOptions options) {
    return of(options::property, System::getenv);
  }

  static CacheSettings of(
      UnaryOperator<@Nullable String> properties, UnaryOperator<@Nullable String> environment) {
    List<String> problems = new ArrayList<>();
    long limit = limit(properties, environment, problems);
    Named set = Named.first(properties, FOLDER_PROPERTY, environment, FOLDER_VARIABLE);
    if (set == null) {
      return ofPlatform(properties, environment, limit, problems);
    }
    if (set.value.equals("off")) {
      return new CacheSettings(Optional.empty(), limit, set.name, problems);
    }
    Optional<Path> folder = path(set.value);
    if (folder.isEmpty()) {
      problems.add(
          set.name
              + " must be a folder or 'off', but is '"
              + set.value
              + "', which is no path here; kernels are not cached");
    }
    return new CacheSettings(
        folder.map(path -> path.toAbsolutePath().normalize()), limit, set.name, problems);
  }

  private static CacheSettings ofPlatform(
      UnaryOperator<@Nullable String> properties,
      UnaryOperator<@Nullable String> environment,
      long limit,
      List<String> problems) {
    Optional<Path> home = path(properties.apply("user.home")).filter(Path::isAbsolute);
    String system = String.valueOf(properties.apply("os.name")).toLowerCase(Locale.ROOT);
    Optional<Path> caches;
    if (system.startsWith("windows")) {
      caches = path(environment.apply("LOCALAPPDATA")).filter(Path::isAbsolute);
    } else if (system.startsWith("mac")) {
      caches = home.map(folder -> folder.resolve("Library", "Caches"));
    } else {
      // The specification wants relative paths to be ignored.
      caches =
          path(environment.apply("XDG_CACHE_HOME"))
              .filter(Path::isAbsolute)
              .or(() -> home.map(folder -> folder.resolve(".cache")));
    }
    if (caches.isEmpty()) {
      problems.add(
          "this user has no folder for caches; kernels are not cached. Set "
              + FOLDER_VARIABLE
              + " to a folder");
    }
    return new CacheSettings(
        caches.map(folder -> folder.resolve("relaxvm", "kernels")), limit, "default", problems);
  }

  private static long limit(
      UnaryOperator<@Nullable String> properties,
      UnaryOperator<@Nullable String> environment,
      List<String> problems) {
    Named set = Named.first(properties, LIMIT_PROPERTY, environment, LIMIT_VARIABLE);
    if (set == null) {
      return DEFAULT_LIMIT_MIB * MIB;
    }
    if (set.value.matches("[0-9]{1,18}") && Long.parseLong(set.value) <= MOST_MIB) {
      return Long.parseLong(set.value) * MIB;
    }
    problems.add(
        set.name
            + " must be a whole number of MiB, but is '"
            + set.value
            + "'; "
            + DEFAULT_LIMIT_MIB
            + " is used");
    return DEFAULT_LIMIT_MIB * MIB;
  }

  private static Optional<Path> path(@Nullable String text) {
    try {
      return text == null || text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  /** A setting that somebody made; one that is empty is none. */
  private record Named(String name, String value) {
    static @Nullable Named first(
        UnaryOperator<@Nullable String> properties,
        String property,
        UnaryOperator<@Nullable String> environment,
        String variable) {
      String value = properties.apply(property);
      if (value != null && !value.isEmpty()) {
        return new Named(property, value);
      }
      value = environment.apply(variable);
      return value == null || value.isEmpty() ? null : new Named(variable, value);
    }
  }
}
