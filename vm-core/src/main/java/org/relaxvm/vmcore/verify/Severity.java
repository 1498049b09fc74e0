package org.relaxvm.vmcore.verify;

/** How bad a finding is. */
public enum Severity {
  /** The program must not run. */
  ERROR,
  /** The program can run safely, but is probably not what its author meant. */
  WARNING
}
