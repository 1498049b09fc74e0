package org.relaxvm.builtins.params;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** The manifest of a directory with parameters: which tensor is where in which shard. */
record Manifest(List<ShardRecord> shards) {
  /** The present and the older name. */
  static final List<String> FILE_NAMES = List.of("tensor-cache.json", "ndarray-cache.json");

  /** Of the same shards, with halved tensors as what is stored: bfloat16. */
  static final List<String> BFLOAT16_FILE_NAMES =
      List.of("tensor-cache-b16.json", "ndarray-cache-b16.json");

  private static final int MAX_QUOTED = 1000;

  /**
   * Reads the manifest of a directory.
   *
   * @param names the first of them that is there is read
   * @throws MalformedFileException an {@code IOError} when there is none, an {@code InternalError}
   *     or {@code ValueError} when it does not follow the format
   */
  static Manifest read(Path directory, List<String> names) {
    for (String name : names) {
      Path file = directory.resolve(name);
      if (Files.exists(file)) {
        // Opening a pipe would wait for its writer.
        if (!Files.isRegularFile(file)) {
          throw new MalformedFileException(
              ErrorKind.IO, "cannot read " + file + ": it is no file with bytes of its own");
        }
        try {
          return parse(Files.readString(file));
        } catch (IOException e) {
          throw new MalformedFileException(ErrorKind.IO, "cannot read " + file + ": " + e, e);
        }
      }
    }
    throw new MalformedFileException(
        ErrorKind.IO,
        "cannot load parameters from "
            + directory
            + ": it has neither "
            + String.join(" nor ", names));
  }

  static Manifest parse(String text) {
    Object root;
    try {
      root = JSON.std.anyFrom(text);
    } catch (IOException e) {
      throw new MalformedFileException(
              ErrorKind.INTERNAL,
              "the manifest is not valid JSON: " + firstLine(e) + "\n  got: " + quoted(text),
              e)
          .withTvmMessage(
              "Failed to parse JSON: " + firstLine(e) + ". The JSON string is:" + quoted(text));
    }
    if (!(root instanceof Map<?, ?> object)) {
      throw new MalformedFileException(
              ErrorKind.VALUE, "the manifest is not a JSON object\n  got: " + quoted(text))
          .withTvmMessage("The given string is not a JSON object: " + quoted(text));
    }
    List<ShardRecord> shards = new ArrayList<>();
    for (JsonObject shard : new JsonObject("the manifest", object).objects("records")) {
      shards.add(shard(shard));
    }
    return new Manifest(List.copyOf(shards));
  }

  private static ShardRecord shard(JsonObject shard) {
    List<TensorRecord> records = new ArrayList<>();
    for (JsonObject tensor : shard.objects("records")) {
      records.add(
          new TensorRecord(
              tensor.string("name"),
              DType.parse(tensor.string("dtype")),
              Shape.of(tensor.integers("shape")),
              tensor.string("format"),
              tensor.integer("nbytes"),
              tensor.integer("byteOffset")));
    }
    return new ShardRecord(
        shard.string("dataPath"),
        shard.string("format"),
        shard.integer("nbytes"),
        List.copyOf(records));
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static String quoted(String text) {
    return text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "...";
  }
}
