package org.relaxvm.compiler.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.api.io.Npz;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.ModuleJson;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.objects.schema.TvmRelease;

/**
 * A module as a file: its text, and beside it an archive of the constants that the text names by
 * their index. The archive has the name of the text with {@code .npz} instead of its ending; its
 * arrays are {@code 0}, {@code 1} and so on. A file with the ending {@code .json} is a JSON graph
 * of Apache TVM 0.22 or later instead, which contains the constants.
 *
 * <p>Stateless; safe for concurrent use.
 */
public final class ModuleFile {
  private ModuleFile() {}

  /**
   * Reads a module with the standard operators.
   *
   * @throws MalformedFileException when the text or the archive cannot be read, with the position
   * @throws org.relaxvm.api.error.InvalidProgramException when a rule about types refuses it, with
   *     the position
   */
  public static IRModule read(Path text) {
    return read(text, StandardOps.registry());
  }

  /** Whether a file is a JSON graph by its name. */
  public static boolean isJson(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
  }

  /** Whether a file is a module by its name: {@code .relax} or {@code .json}. */
  public static boolean isModule(Path file) {
    return isJson(file) || file.toString().toLowerCase(Locale.ROOT).endsWith(".relax");
  }

  /** Reads a module with other operators; a JSON graph has the standard ones. */
  public static IRModule read(Path text, OpRegistry ops) {
    if (isJson(text)) {
      return ModuleJson.load(text);
    }
    Path archive = constants(text);
    List<Tensor> constants =
        Files.exists(archive) ? inOrder(archive, Npz.read(archive)) : List.of();
    return RelaxText.parse(content(text), text.toString(), ops, constants);
  }

  /**
   * Writes a module, and an archive if the text names constants by their index. Each file is there
   * as a whole or not at all. A JSON graph is one of the newest release.
   */
  public static void write(IRModule module, Path text) {
    write(module, TvmRelease.newest(), text);
  }

  /**
   * As {@link #write(IRModule, Path)}, with the release that reads a JSON graph.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link ModuleJson#save(IRModule,
   *     TvmRelease, Path)}
   */
  public static void write(IRModule module, TvmRelease release, Path text) {
    if (isJson(text)) {
      ModuleJson.save(module, release, text);
      return;
    }
    RelaxText.Printed printed = RelaxText.printWithConstants(module);
    if (!printed.constants().isEmpty()) {
      Map<String, Tensor> arrays = new LinkedHashMap<>();
      for (Tensor constant : printed.constants()) {
        arrays.put(Integer.toString(arrays.size()), constant);
      }
      Npz.write(constants(text), arrays);
    }
    AtomicFile.write(text, channel -> write(channel, printed.text()));
  }

  private static void write(WritableByteChannel channel, String text) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Where the constants of a text lie. */
  public static Path constants(Path text) {
    String name = String.valueOf(text.getFileName());
    int ending = name.lastIndexOf('.');
    return text.resolveSibling((ending > 0 ? name.substring(0, ending) : name) + ".npz");
  }

  private static List<Tensor> inOrder(Path archive, Map<String, Tensor> arrays) {
    List<Tensor> constants = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      Tensor constant = arrays.get(Integer.toString(i));
      if (constant == null) {
        throw new MalformedFileException(
            ErrorKind.VALUE,
            archive
                + " must have the arrays 0 to "
                + (arrays.size() - 1)
                + ", but has no "
                + i
                + "; it has "
                + String.join(", ", arrays.keySet()));
      }
      constants.add(constant);
    }
    return constants;
  }

  private static String content(Path text) {
    try {
      byte[] bytes = Files.readAllBytes(text);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, text.toAbsolutePath() + " is not encoded in UTF-8", e);
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + text.toAbsolutePath() + ": " + e.getMessage(), e);
    }
  }
}
