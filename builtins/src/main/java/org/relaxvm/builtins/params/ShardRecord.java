package org.relaxvm.builtins.params;

import java.util.List;

/**
 * One shard file.
 *
 * @param dataPath relative to the directory of the manifest
 * @param byteSize bytes of the whole file
 */
record ShardRecord(String dataPath, String format, long byteSize, List<TensorRecord> records) {
  static final String RAW = "raw-shard";
}
