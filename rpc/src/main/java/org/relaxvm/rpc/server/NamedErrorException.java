package org.relaxvm.rpc.server;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** An error whose kind has no {@link ErrorKind}, such as {@code KeyError}. */
final class NamedErrorException extends CallException {
  private static final long serialVersionUID = 1L;

  private final String name;

  /**
   * Creates the error.
   *
   * @param name of the kind
   */
  public NamedErrorException(String name, String message) {
    super(ErrorKind.RUNTIME, message);
    this.name = name;
  }

  /** The name of the kind. */
  public String name() {
    return name;
  }
}
