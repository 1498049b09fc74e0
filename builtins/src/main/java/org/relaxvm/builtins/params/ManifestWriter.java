package org.relaxvm.builtins.params;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.io.AtomicFile;

/**
 * Writes the manifests of a folder.
 *
 * <p>Rationale: docs/rationale/builtins.md, "Why is a folder with a manifest never written to?"
 */
final class ManifestWriter {
  private static final JSON PRETTY = JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT);

  private ManifestWriter() {}

  /** Writes the manifest of some shards; when tensors are halved, also the one with bfloat16. */
  static void write(Path folder, List<WrittenShard> shards) {
    boolean halved =
        shards.stream()
            .flatMap(shard -> shard.shard().records().stream())
            .anyMatch(TensorRecord::isHalved);
    if (halved) {
      write(folder.resolve(Manifest.BFLOAT16_FILE_NAMES.getFirst()), shards, true);
    }
    write(folder.resolve(Manifest.FILE_NAMES.getFirst()), shards, false);
  }

  private static void write(Path file, List<WrittenShard> shards, boolean asBfloat16) {
    List<Map<String, Object>> records = new ArrayList<>();
    for (WrittenShard shard : shards) {
      records.add(object(shard, asBfloat16));
    }
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("metadata", Map.of());
    manifest.put("records", records);
    AtomicFile.write(file, channel -> writeAll(channel, PRETTY.asString(manifest)));
  }

  private static void writeAll(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static Map<String, Object> object(WrittenShard written, boolean asBfloat16) {
    ShardRecord shard = written.shard();
    List<Map<String, Object>> records = new ArrayList<>();
    for (TensorRecord record : shard.records()) {
      records.add(object(record, asBfloat16 && record.isHalved()));
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("dataPath", shard.dataPath());
    object.put("format", shard.format());
    object.put("nbytes", shard.byteSize());
    object.put("records", records);
    object.put("md5sum", written.md5());
    return object;
  }

  private static Map<String, Object> object(TensorRecord record, boolean asBfloat16) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", record.name());
    object.put("shape", record.shape().toArray());
    object.put("dtype", asBfloat16 ? "bfloat16" : record.dtype().toString());
    object.put("format", asBfloat16 ? TensorRecord.RAW : record.format());
    object.put("nbytes", record.byteSize());
    object.put("byteOffset", record.byteOffset());
    return object;
  }
}
