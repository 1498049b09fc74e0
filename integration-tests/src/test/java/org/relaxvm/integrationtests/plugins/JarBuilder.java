package org.relaxvm.integrationtests.plugins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.relaxvm.integrationtests.OurModules;

/** Makes a jar from Java sources and text files, as somebody else's plugin would be. */
final class JarBuilder {
  private final Map<String, String> sources = new TreeMap<>();
  private final Map<String, String> files = new TreeMap<>();
  private final List<String> dropped = new ArrayList<>();
  private final List<String> truncated = new ArrayList<>();

  /** Adds a source file, such as {@code acme/Npu.java}. */
  JarBuilder source(String path, String text) {
    sources.put(path, text);
    return this;
  }

  /** Adds all source files of a folder and of the folders in it. */
  JarBuilder sourcesOf(Path folder) {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        source(folder.relativize(file).toString(), Files.readString(file));
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a service file with its lines. */
  JarBuilder service(Class<?> service, String... providers) {
    files.put("META-INF/services/" + service.getName(), String.join("\n", providers) + "\n");
    return this;
  }

  /** Leaves a class file out that the compiler made. */
  JarBuilder without(String classFile) {
    dropped.add(classFile);
    return this;
  }

  /** Leaves the second half of a class file out. */
  JarBuilder truncated(String classFile) {
    truncated.add(classFile);
    return this;
  }

  /** Compiles and packs. */
  Path build(Path jar) {
    try {
      Path work = Files.createTempDirectory(jar.toAbsolutePath().getParent(), "classes");
      compile(work);
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> walk = Files.walk(work.resolve("out"))) {
        for (Path file : walk.filter(Files::isRegularFile).toList()) {
          String name = work.resolve("out").relativize(file).toString();
          if (!dropped.contains(name)) {
            byte[] bytes = Files.readAllBytes(file);
            put(
                out,
                name,
                truncated.contains(name) ? Arrays.copyOf(bytes, bytes.length / 2) : bytes);
          }
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
          put(out, file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
        }
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compile(Path work) throws IOException {
    Path out = Files.createDirectories(work.resolve("out"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-d",
                out.toString(),
                "-proc:none",
                sources.containsKey("module-info.java") ? "--module-path" : "--class-path",
                sources.containsKey("module-info.java")
                    ? OurModules.modulePath()
                    : OurModules.classPathText()));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = work.resolve("src").resolve(source.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
      arguments.add(file.toString());
    }
    if (!sources.isEmpty()
        && ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new))
            != 0) {
      throw new IllegalStateException("the test's sources do not compile");
    }
  }

  private static void put(JarOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(bytes);
    out.closeEntry();
  }
}
