package org.relaxvm.interoponnx.cases;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * A case: {@code model.onnx} and folders {@code test_data_set_<k>} with {@code input_<i>.pb} and
 * {@code output_<i>.pb}. Immutable.
 *
 * @param name of its folder
 * @param folder of external data
 * @param sets by their numbers
 */
public record OnnxCase(String name, MemorySegment model, Path folder, List<DataSet> sets) {
  private static final Pattern DATA =
      Pattern.compile("test_data_set_(\\d+)/(input|output)_(\\d+)\\.pb");
  private static final String MODEL = "model.onnx";

  /**
   * Inputs, and the results that are right, as messages of the file format.
   *
   * @param number of the set
   */
  public record DataSet(int number, List<MemorySegment> inputs, List<MemorySegment> outputs) {}

  /** Whether a path is a case, or a zip archive of cases. */
  public static boolean isCase(Path path) {
    if (Files.isDirectory(path)) {
      return Files.isRegularFile(path.resolve(MODEL));
    }
    if (!path.toString().endsWith(".zip")) {
      return false;
    }
    try (ZipFile zip = new ZipFile(path.toFile())) {
      return zip.stream().anyMatch(entry -> entry.getName().endsWith("/" + MODEL));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The case in a folder, or all cases in a zip archive, by name.
   *
   * @throws MalformedFileException when the path cannot be read, or has no case
   */
  public static List<OnnxCase> read(Path path) {
    try {
      return Files.isDirectory(path) ? List.of(folder(path)) : archive(path);
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + e.getMessage(), e);
    }
  }

  private static OnnxCase folder(Path folder) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    try (Stream<Path> found = Files.walk(folder, 2)) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (name.equals(MODEL) || DATA.matcher(name).matches()) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    }
    return of(String.valueOf(folder.toAbsolutePath().getFileName()), files, folder);
  }

  private static List<OnnxCase> archive(Path file) throws IOException {
    Map<String, Map<String, byte[]>> cases = new TreeMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
        int slash = entry.getName().indexOf('/');
        if (slash > 0) {
          try (InputStream in = zip.getInputStream(entry)) {
            cases
                .computeIfAbsent(entry.getName().substring(0, slash), key -> new HashMap<>())
                .put(entry.getName().substring(slash + 1), in.readAllBytes());
          }
        }
      }
    }
    List<OnnxCase> result = new ArrayList<>();
    cases.forEach(
        (name, files) -> {
          if (files.containsKey(MODEL)) {
            result.add(of(name, files, file.toAbsolutePath().resolveSibling("")));
          }
        });
    if (result.isEmpty()) {
      throw new MalformedFileException(
          ErrorKind.VALUE, file.toAbsolutePath() + " has no folder with " + MODEL);
    }
    return result;
  }

  private static OnnxCase of(String name, Map<String, byte[]> files, Path folder) {
    Map<Integer, Map<Integer, MemorySegment>> inputs = new TreeMap<>();
    Map<Integer, Map<Integer, MemorySegment>> outputs = new TreeMap<>();
    files.forEach(
        (file, bytes) -> {
          Matcher data = DATA.matcher(file);
          if (data.matches()) {
            (data.group(2).equals("input") ? inputs : outputs)
                .computeIfAbsent(Integer.valueOf(data.group(1)), key -> new TreeMap<>())
                .put(Integer.valueOf(data.group(3)), MemorySegment.ofArray(bytes));
          }
        });
    List<DataSet> sets =
        outputs.entrySet().stream()
            .map(
                set ->
                    new DataSet(
                        set.getKey(),
                        List.copyOf(inputs.getOrDefault(set.getKey(), Map.of()).values()),
                        List.copyOf(set.getValue().values())))
            .toList();
    return new OnnxCase(
        name, MemorySegment.ofArray(Objects.requireNonNull(files.get(MODEL))), folder, sets);
  }
}
