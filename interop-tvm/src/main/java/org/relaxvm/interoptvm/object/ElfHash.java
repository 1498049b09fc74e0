package org.relaxvm.interoptvm.object;

import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * The two tables by which a loader finds symbols, as far as they tell how many symbols there are.
 * Chains are followed, since a loader follows them too and would never come back from a loop.
 */
final class ElfHash {
  private static final int WORD = 4;

  private final FileView view;
  private final Span bytes;

  /** A table somewhere at the beginning of these bytes. */
  ElfHash(FileView view, Span bytes) {
    this.view = view;
    this.bytes = bytes;
  }

  /**
   * What a table says.
   *
   * @param symbols how many symbols there are, or at least are
   * @param table its bytes
   */
  record Found(long symbols, Span table) {}

  /** The table of the System V ABI, which knows the number of symbols. */
  Found systemV() {
    long buckets = view.u32(bytes.offset(), "number of hash buckets");
    long symbols = view.u32(bytes.offset() + WORD, "number of hash chains");
    Span table = head(2 * WORD + (buckets + symbols) * WORD, "hash table");
    long bucketsAt = bytes.offset() + 2 * WORD;
    long chainsAt = bucketsAt + buckets * WORD;
    long steps = 0;
    for (long at = bucketsAt; at < chainsAt; at += WORD) {
      long index = view.u32(at, "hash bucket");
      while (index != 0) {
        steps++;
        if (index >= symbols || steps > symbols) {
          throw view.fail(
              at,
              "hash chain",
              "each of " + symbols + " symbols at most once",
              index >= symbols ? "symbol " + index : "a loop",
              ByteCursor.DAMAGED);
        }
        index = view.u32(chainsAt + index * WORD, "hash chain");
      }
    }
    return new Found(symbols, table);
  }

  /** The table of GNU, which ends with the last defined symbol. */
  Found gnu() {
    long at = bytes.offset();
    long buckets = view.u32(at, "number of hash buckets");
    long first = view.u32(at + 4, "first hashed symbol");
    long filter = view.u32(at + 8, "size of the hash filter");
    if (Long.bitCount(filter) != 1) {
      throw view.fail(
          at + 8,
          "size of the hash filter",
          "a power of two",
          Long.toString(filter),
          ByteCursor.DAMAGED);
    }
    long headBytes = 16 + filter * 8 + buckets * WORD;
    head(headBytes, "GNU hash table");
    long chainsAt = at + headBytes;
    long bucketsAt = chainsAt - buckets * WORD;
    long last = 0;
    for (long bucketAt = bucketsAt; bucketAt < chainsAt; bucketAt += WORD) {
      long index = view.u32(bucketAt, "hash bucket");
      if (index != 0 && index < first) {
        throw view.fail(
            bucketAt,
            "hash bucket",
            "0, or a symbol from " + first,
            Long.toString(index),
            ByteCursor.DAMAGED);
      }
      last = Math.max(last, index);
    }
    if (last == 0) {
      return new Found(first, new Span(at, headBytes));
    }
    long chainAt = chainsAt + (last - first) * WORD;
    do {
      if (chainAt > bytes.end() - WORD) {
        throw view.fail(
            chainAt < view.size() ? chainAt : at,
            "hash chain of symbol " + last,
            "a last link before byte " + bytes.end(),
            "none",
            ByteCursor.DAMAGED);
      }
      last++;
      chainAt += WORD;
    } while ((view.u32(chainAt - WORD, "hash chain") & 1) == 0);
    return new Found(last, new Span(at, chainAt - at));
  }

  private Span head(long length, String what) {
    if (length > bytes.length()) {
      throw view.fail(
          bytes.offset(),
          what,
          "at most " + bytes.length() + " bytes",
          length + " bytes",
          ByteCursor.DAMAGED);
    }
    return new Span(bytes.offset(), length);
  }
}
