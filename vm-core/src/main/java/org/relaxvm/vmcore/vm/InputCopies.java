package org.relaxvm.vmcore.vm;

/**
 * What a call does with a host tensor whose parameter is on another device. This concerns arguments
 * only: where kernels run never depends on it.
 */
public enum InputCopies {
  /**
   * Copies the tensor to the device of the parameter for the duration of the call. Each copy is
   * recorded as a {@code relaxvm.Copy} event, and {@link VirtualMachine#placement} lists the
   * parameters concerned. Nothing is copied back: a program that writes to its argument writes to
   * the copy. Pass a tensor that {@link VirtualMachine#upload} returned where the change is needed.
   */
  COPY,
  /**
   * Copies nothing. Where the program states the device of a parameter, a tensor on another device
   * is an error.
   */
  REFUSE
}
