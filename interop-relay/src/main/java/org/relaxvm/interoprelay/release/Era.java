package org.relaxvm.interoprelay.release;

/**
 * A time in which files of the Relay VM had one format.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.4.
 */
public enum Era {
  /** TVM 0.6: no devices. */
  R1,
  /** TVM 0.7 and 0.8: device types; attributes of packed functions in 0.8. */
  R2,
  /** TVM 0.9 to 0.13: a device table, tagged constants. */
  R3,
  /** TVM 0.14 to 0.19: memory scopes, devices of constants, storage by shape. */
  R4
}
