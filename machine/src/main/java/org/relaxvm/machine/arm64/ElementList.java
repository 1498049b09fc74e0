package org.relaxvm.machine.arm64;

/**
 * The elements of one index in one to four vector registers of adjacent numbers.
 *
 * @param first the number of the first register, 0 to 31
 * @param count 1 to 4
 * @param kind the size of an element
 * @param index from 0 on, within 128 bits
 */
public record ElementList(int first, int count, Element.Kind kind, int index) implements Operand {
  /** Checks the ranges. */
  public ElementList {
    Vector.checkNumber(first);
    VectorList.checkCount(count);
    Element.checkIndex(kind, index);
  }

  /** The list of one element. */
  public static ElementList of(Element element) {
    return new ElementList(element.number(), 1, element.kind(), element.index());
  }

  /** The list in the manual, such as <code>{v3.s, v4.s}[1]</code>. */
  @Override
  public String toString() {
    return VectorList.text(first, count, kind) + "[" + index + "]";
  }
}
