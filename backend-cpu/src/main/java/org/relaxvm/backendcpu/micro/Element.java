package org.relaxvm.backendcpu.micro;

/** What a tile multiplies and adds. */
enum Element {
  FLOAT32(4),
  FLOAT64(8);

  private final int bytes;

  Element(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one element. */
  int bytes() {
    return bytes;
  }
}
