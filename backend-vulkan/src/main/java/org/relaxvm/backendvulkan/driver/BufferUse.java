package org.relaxvm.backendvulkan.driver;

/** Where memory is best. */
public enum BufferUse {
  /** In the device's own memory. */
  DEVICE,
  /** In memory that device and host share, if there is some that both are fast with. */
  SHARED,
  /** In the host's memory, for bytes on their way. */
  STAGING
}
