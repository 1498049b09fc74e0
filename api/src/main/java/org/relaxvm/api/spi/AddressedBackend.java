package org.relaxvm.api.spi;

/**
 * A {@link Backend} whose devices are elsewhere and are named by addresses, {@code name://...},
 * where {@code name} is the backend's. {@link #devices()} lists those that were opened, in the
 * order in which they were.
 *
 * <p>Thread-safe.
 */
public interface AddressedBackend extends Backend {
  /**
   * The device of an address, which is opened at its first use.
   *
   * @param address the whole text, such as {@code rpc://192.168.0.7:9091/cpu:0}
   * @return one of {@link #devices()}
   * @throws org.relaxvm.api.error.BackendException when the address is malformed, nobody answers,
   *     or there is no such device
   */
  Device deviceAt(String address);
}
