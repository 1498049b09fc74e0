package org.relaxvm.interoponnx.convert;

import java.util.AbstractList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * A list from which operators take elements by position, as they define them: axes, inputs,
 * numbers. A model may have less of them, which is an error of the model. Not modifiable.
 */
final class RequiredList<E> extends AbstractList<E> {
  private final List<E> elements;
  private final String what;

  /**
   * @param elements not copied
   * @param what they are, for messages, such as {@code axes of an input}
   */
  RequiredList(List<E> elements, String what) {
    this.elements = elements;
    this.what = what;
  }

  @Override
  public E get(int index) {
    require(index + 1L, index);
    return elements.get(index);
  }

  @Override
  public E getFirst() {
    return get(0);
  }

  @Override
  public E getLast() {
    return get(Math.max(0, size() - 1));
  }

  @Override
  public List<E> subList(int from, int to) {
    require(to, Math.min(from, to - from));
    return new RequiredList<>(elements.subList(from, to), what);
  }

  private void require(long count, int position) {
    if (position < 0 || count > size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "there are " + size() + " " + what + "; expected " + Math.max(count, 1) + " or more");
    }
  }

  @Override
  public int size() {
    return elements.size();
  }
}
