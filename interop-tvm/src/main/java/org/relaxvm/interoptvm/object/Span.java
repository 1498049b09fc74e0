package org.relaxvm.interoptvm.object;

/** Bytes of a file that are known to be there. */
record Span(long offset, long length) {
  long end() {
    return offset + length;
  }

  boolean overlaps(Span other) {
    return offset < other.end() && other.offset < end();
  }
}
