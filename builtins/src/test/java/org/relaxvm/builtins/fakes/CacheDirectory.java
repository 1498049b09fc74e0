package org.relaxvm.builtins.fakes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a directory with one shard of parameters. */
public final class CacheDirectory {
  private final Path directory;
  private final ByteBuffer shard = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
  private final List<String> records = new ArrayList<>();

  public CacheDirectory(Path directory) {
    this.directory = directory;
  }

  /** Adds float32 numbers as they are. */
  public CacheDirectory floats(String name, float... values) {
    int start = shard.position();
    for (float value : values) {
      shard.putFloat(value);
    }
    return record(name, "[" + values.length + "]", "float32", "raw", start);
  }

  /** Adds 16-bit patterns under a dtype and format. */
  public CacheDirectory halves(String name, String dtype, String format, int... values) {
    int start = shard.position();
    for (int value : values) {
      shard.putShort((short) value);
    }
    return record(name, "[" + values.length + "]", dtype, format, start);
  }

  /** Adds int32 numbers. */
  public CacheDirectory ints(String name, String format, int... values) {
    int start = shard.position();
    for (int value : values) {
      shard.putInt(value);
    }
    return record(name, "[" + values.length + "]", "int32", format, start);
  }

  private CacheDirectory record(String name, String shape, String dtype, String format, int start) {
    return record(name, shape, dtype, format, shard.position() - start, start);
  }

  /** Adds a record that may be wrong. */
  public CacheDirectory record(
      String name, String shape, String dtype, String format, long byteSize, long byteOffset) {
    records.add(
        String.format(
            "{\"name\": \"%s\", \"shape\": %s, \"dtype\": \"%s\", \"format\": \"%s\","
                + " \"nbytes\": %d, \"byteOffset\": %d}",
            name, shape, dtype, format, byteSize, byteOffset));
    return this;
  }

  /** Writes both files. */
  public Path write() throws IOException {
    return write("tensor-cache.json", "params_shard_0.bin", "raw-shard", shard.position());
  }

  /** Writes both files, with what the manifest says about the shard. */
  public Path write(String manifest, String dataPath, String format, long byteSize)
      throws IOException {
    byte[] content = new byte[shard.position()];
    shard.get(0, content);
    Files.write(directory.resolve("params_shard_0.bin"), content);
    Files.writeString(
        directory.resolve(manifest),
        String.format(
            "{\"metadata\": {}, \"records\": [{\"dataPath\": \"%s\", \"format\": \"%s\","
                + " \"nbytes\": %d, \"md5sum\": \"\", \"records\": [%s]}]}",
            dataPath, format, byteSize, String.join(", ", records)));
    return directory;
  }
}
