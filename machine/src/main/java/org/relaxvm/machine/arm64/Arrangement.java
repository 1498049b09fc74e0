package org.relaxvm.machine.arm64;

/** How a vector register is divided: the number of lanes and the size of each. */
public enum Arrangement {
  B8(1, 8),
  B16(1, 16),
  H4(2, 4),
  H8(2, 8),
  S2(4, 2),
  S4(4, 4),
  D1(8, 1),
  D2(8, 2);

  private final int elementBytes;
  private final int lanes;

  Arrangement(int elementBytes, int lanes) {
    this.elementBytes = elementBytes;
    this.lanes = lanes;
  }

  /** The arrangement of {@code bytes} bytes, 8 or 16, in elements of 1, 2, 4 or 8 bytes. */
  public static Arrangement of(int elementBytes, int bytes) {
    for (Arrangement arrangement : values()) {
      if (arrangement.elementBytes == elementBytes && arrangement.bytes() == bytes) {
        return arrangement;
      }
    }
    throw new IllegalArgumentException(
        "a vector has 8 or 16 bytes in elements of 1, 2, 4 or 8 bytes, but got %d bytes in elements"
                .formatted(bytes)
            + " of "
            + elementBytes);
  }

  /** Bytes of an element: 1, 2, 4 or 8. */
  public int elementBytes() {
    return elementBytes;
  }

  /** The number of elements. */
  public int lanes() {
    return lanes;
  }

  /** Bytes of all elements: 8 or 16. */
  public int bytes() {
    return elementBytes * lanes;
  }

  /** The kind of its elements. */
  public Element.Kind element() {
    return Element.Kind.ofBytes(elementBytes);
  }

  /** The suffix in the manual, such as {@code 4s}. */
  @Override
  public String toString() {
    return lanes + element().toString();
  }
}
