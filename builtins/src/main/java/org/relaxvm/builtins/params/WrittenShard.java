package org.relaxvm.builtins.params;

/**
 * A shard that was written.
 *
 * @param md5 of the whole file, in hexadecimal digits
 */
record WrittenShard(ShardRecord shard, String md5) {}
