package org.relaxvm.backendsupport.gpu;

import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/** Errors that several parts of a device raise with the same message. */
public final class DeviceErrors {
  private DeviceErrors() {}

  /** The error for a use of a closed device. */
  public static BackendException closed(DeviceId id) {
    return new BackendException(
        ErrorKind.VALUE, "device " + id + " is closed: it cannot be used any more");
  }
}
