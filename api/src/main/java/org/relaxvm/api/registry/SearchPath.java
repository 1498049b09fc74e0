package org.relaxvm.api.registry;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** The jars and folders that a class loader reads, as far as it tells. */
final class SearchPath {
  private SearchPath() {}

  /** The entries of a class loader and of its parents, parents first. */
  static SequencedSet<Path> ofClasses(ClassLoader loader) {
    List<ClassLoader> chain = new ArrayList<>();
    for (ClassLoader next = loader; next != null; next = next.getParent()) {
      chain.addFirst(next);
    }
    SequencedSet<Path> entries = new LinkedHashSet<>();
    for (ClassLoader next : chain) {
      if (next instanceof URLClassLoader urls) {
        for (URL url : urls.getURLs()) {
          addFile(url, entries);
        }
      } else if (next.equals(ClassLoader.getSystemClassLoader())) {
        addAll("java.class.path", entries);
      }
    }
    return entries;
  }

  /** The modules on the module path of the JVM. */
  static SequencedSet<Path> ofModules() {
    SequencedSet<Path> entries = new LinkedHashSet<>();
    addAll("jdk.module.path", entries);
    SequencedSet<Path> modules = new LinkedHashSet<>();
    for (Path entry : entries) {
      if (Files.isDirectory(entry) && !Files.exists(entry.resolve(JarContent.MODULE_INFO))) {
        addModulesIn(entry, modules);
      } else {
        modules.add(entry);
      }
    }
    return modules;
  }

  static boolean isNamedAsJar(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return name.regionMatches(true, name.length() - 4, ".jar", 0, 4);
  }

  private static void addAll(String property, SequencedSet<Path> entries) {
    for (String entry : System.getProperty(property, "").split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        try {
          entries.add(Path.of(entry));
        } catch (InvalidPathException _) {
          continue; // Nothing can be loaded from it either.
        }
      }
    }
  }

  private static void addFile(URL url, SequencedSet<Path> entries) {
    if (url.getProtocol().equals("file")) {
      try {
        entries.add(Path.of(new URI(url.toString())));
      } catch (URISyntaxException | IllegalArgumentException _) {
        return; // An odd location: its providers are found or not, but its files are not looked at.
      }
    }
  }

  private static void addModulesIn(Path folder, SequencedSet<Path> modules) {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
      for (Path child : children) {
        if (isNamedAsJar(child) || Files.exists(child.resolve(JarContent.MODULE_INFO))) {
          modules.add(child);
        }
      }
    } catch (IOException | DirectoryIteratorException _) {
      return; // The JVM found no module in it either.
    }
  }
}
