package org.relaxvm.backendtestkit.definition;

/** What a kernel computes. */
@FunctionalInterface
public interface Definition {
  /**
   * Checks shapes and attributes of a call and defines its output.
   *
   * @param request the call, whose kinds and dtypes were checked against the signature
   * @return the elements of the output; operands are read when it is asked
   * @throws org.relaxvm.api.error.CallException when the arguments do not fit
   */
  ElementFunction define(KernelRequest request);

  /** An output by index, in the bits of {@link ElementBits}, before they are cut to the dtype. */
  @FunctionalInterface
  interface ElementFunction {
    /** The element at an index of the output. */
    long at(long[] index);
  }
}
