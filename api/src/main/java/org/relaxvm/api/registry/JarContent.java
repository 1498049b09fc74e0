package org.relaxvm.api.registry;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.InvalidModuleDescriptorException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.ServiceFiles;

/**
 * Which of RelaxVM's interfaces a jar or a folder of classes implements, as its own files say.
 * Nothing of it is loaded.
 *
 * @param listed those with a file in {@code META-INF/services} that names a class
 * @param provided those that {@code module-info} provides; null when there is none
 */
record JarContent(Set<String> listed, @Nullable Set<String> provided) {
  static final String MODULE_INFO = "module-info.class";

  private static final String OURS = "org.relaxvm.";

  /**
   * Looks into a jar or folder.
   *
   * @throws IOException when it is no jar, or cannot be read
   */
  static JarContent of(Path entry) throws IOException {
    return Files.isDirectory(entry) ? ofFolder(entry) : ofJar(entry);
  }

  private static JarContent ofJar(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
      Set<String> listed = new TreeSet<>();
      List<JarEntry> services =
          jar.stream()
              .filter(entry -> entry.getName().startsWith(ServiceFiles.FOLDER + OURS))
              .toList();
      for (JarEntry service : services) {
        try (InputStream in = jar.getInputStream(service)) {
          add(service.getName().substring(ServiceFiles.FOLDER.length()), in, listed);
        }
      }
      JarEntry module = jar.getJarEntry(MODULE_INFO);
      if (module == null) {
        return new JarContent(listed, null);
      }
      try (InputStream in = jar.getInputStream(module)) {
        return new JarContent(listed, provides(in));
      }
    }
  }

  private static JarContent ofFolder(Path folder) throws IOException {
    Set<String> listed = new TreeSet<>();
    Path services = folder.resolve(ServiceFiles.FOLDER);
    if (Files.isDirectory(services)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(services, OURS + "*")) {
        for (Path file : files) {
          try (InputStream in = Files.newInputStream(file)) {
            add(String.valueOf(file.getFileName()), in, listed);
          }
        }
      }
    }
    Path module = folder.resolve(MODULE_INFO);
    if (!Files.exists(module)) {
      return new JarContent(listed, null);
    }
    try (InputStream in = Files.newInputStream(module)) {
      return new JarContent(listed, provides(in));
    }
  }

  private static void add(String service, InputStream file, Set<String> listed) throws IOException {
    if (!ServiceFiles.entries(file).isEmpty()) {
      listed.add(service);
    }
  }

  private static @Nullable Set<String> provides(InputStream moduleInfo) throws IOException {
    try {
      return ModuleDescriptor.read(moduleInfo).provides().stream()
          .map(ModuleDescriptor.Provides::service)
          .filter(service -> service.startsWith(OURS))
          .collect(toCollection(TreeSet::new));
    } catch (InvalidModuleDescriptorException _) {
      return null; // On the class path it does not matter, and on the module path the JVM refuses.
    }
  }
}
