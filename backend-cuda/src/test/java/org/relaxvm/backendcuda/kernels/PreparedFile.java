package org.relaxvm.backendcuda.kernels;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The file with the programs of {@link PreparedKernels}. The Maven profile {@code prepared-kernels}
 * names it by {@link #SETTING}, and it becomes a part of the jar.
 */
final class PreparedFile {
  /** System property: the file to write. */
  static final String SETTING = "relaxvm.preparedKernels.file";

  /** System property: the folder for compiled programs, which are not compiled again. */
  static final String CACHE = "relaxvm.preparedKernels.cache";

  /** What the driver of CUDA 12.0 reads; nothing that the programs have is newer. */
  private static final String VERSION = ".version 8.0";

  private PreparedFile() {}

  /** Compiles programs, those only that the cache does not have. */
  static Map<String, String> compileAll(Map<String, String> sources, Path cache, Nvcc nvcc)
      throws IOException {
    Path folder =
        Files.createDirectories(cache.resolve(nvcc.version().replaceAll("[^A-Za-z0-9.]", "-")));
    Map<String, String> compiled = new ConcurrentHashMap<>();
    sources.entrySet().parallelStream()
        .forEach(
            source ->
                compiled.put(
                    source.getKey(),
                    cached(
                        folder.resolve(source.getKey() + ".ptx"),
                        () -> compile(source.getValue(), nvcc))));
    return compiled;
  }

  private static String cached(Path file, Supplier<String> compiler) {
    try {
      if (!Files.exists(file)) {
        Path part = Files.createTempFile(file.getParent(), "part-", "");
        Files.writeString(part, compiler.get());
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep a compiled program as " + file, e);
    }
  }

  /** Writes programs, with those beside each other that are alike. */
  static void write(Path file, Map<String, String> compiled) throws IOException {
    StringBuilder text = new StringBuilder();
    compiled.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, String> program) -> entry(program.getValue()))
                .thenComparing(program -> program.getValue().length())
                .thenComparing(Map.Entry::getKey))
        .forEach(
            program ->
                text.append(PreparedKernels.MARK)
                    .append(program.getKey())
                    .append('\n')
                    .append(program.getValue()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new SmallestFile(bytes)) {
      out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, bytes.toByteArray());
  }

  private static final class SmallestFile extends GZIPOutputStream {
    SmallestFile(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static String entry(String ptx) {
    int start = ptx.indexOf(".entry ");
    return ptx.substring(start, ptx.indexOf('(', start));
  }

  /** PTX without what is for people only. */
  static String compile(String source, Nvcc nvcc) {
    return nvcc.ptx("a prepared program", source, PreparedKernels.TARGET)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("//"))
        .map(line -> line.startsWith(".version") ? VERSION : line)
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
