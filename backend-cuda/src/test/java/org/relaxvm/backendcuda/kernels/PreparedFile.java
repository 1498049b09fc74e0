package org.relaxvm.backendcuda.kernels;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** The file with the programs of {@link PreparedKernels}. */
final class PreparedFile {
  static final Path PATH =
      Path.of("src/main/resources/org/relaxvm/backendcuda/kernels", PreparedKernels.RESOURCE);

  /** What the driver of CUDA 12.0 reads; nothing that the programs have is newer. */
  private static final String VERSION = ".version 8.0";

  private PreparedFile() {}

  /** PTX by the names of programs. */
  static Map<String, String> read() throws IOException {
    return PreparedKernels.parse(new ByteArrayInputStream(Files.readAllBytes(PATH)));
  }

  /** Compiles programs and writes the file anew, with those beside each other that are alike. */
  static void write(Map<String, String> sources, Nvcc nvcc) throws IOException {
    Map<String, String> compiled = new ConcurrentHashMap<>();
    sources.entrySet().parallelStream()
        .forEach(source -> compiled.put(source.getKey(), compile(source.getValue(), nvcc)));
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
    Files.write(PATH, bytes.toByteArray());
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
