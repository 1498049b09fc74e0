package org.relaxvm.api.fakes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Makes a jar from Java sources and text files, as somebody else's plugin would be. */
public final class JarBuilder {
  private final Map<String, String> sources = new TreeMap<>();
  private final Map<String, String> files = new TreeMap<>();
  private final List<String> dropped = new ArrayList<>();

  /** Adds a source file, such as {@code acme/Npu.java}. */
  public JarBuilder source(String path, String text) {
    sources.put(path, text);
    return this;
  }

  /** Adds a service file with its lines. */
  public JarBuilder service(Class<?> service, String... providers) {
    files.put("META-INF/services/" + service.getName(), String.join("\n", providers) + "\n");
    return this;
  }

  /** Leaves a class file out that the compiler made. */
  public JarBuilder without(String classFile) {
    dropped.add(classFile);
    return this;
  }

  /** Compiles and packs. */
  public Path build(Path jar) {
    try {
      Path work = Files.createTempDirectory(jar.toAbsolutePath().getParent(), "classes");
      compile(work);
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> walk = Files.walk(work.resolve("out"))) {
        for (Path file : walk.filter(Files::isRegularFile).toList()) {
          String name = work.resolve("out").relativize(file).toString();
          if (!dropped.contains(name)) {
            put(out, name, Files.readAllBytes(file));
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
                "-d", out.toString(), "-proc:none", "-cp", System.getProperty("java.class.path")));
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
