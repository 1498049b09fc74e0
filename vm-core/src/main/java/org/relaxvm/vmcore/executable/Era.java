package org.relaxvm.vmcore.executable;

import java.util.Optional;

/**
 * The four forms of the format that all call themselves version 0.14: the tags of constants changed
 * without a new version, and the last form has memory scopes and a magic of its own. Source:
 * docs/spec/executable-format.md, section 2.4.
 */
public enum Era {
  /** Releases up to 0.20. */
  A("up to 0.20", false, 4, 5, 1, 3, 2, 0),
  /** Release 0.21. */
  B("0.21", false, 1, 3, 5, 65, 71, 72),
  /** Release 0.22. */
  C("0.22", false, 1, 3, 5, 65, 69, 70),
  /** Releases from 0.23 on; the only era that is written. */
  D("from 0.23 on", true, 1, 3, 5, 65, 69, 70);

  /** The magic of eras A to C. */
  static final long MAGIC_V1 = 0xD225DE2F4214151DL;

  /** The magic of era D. */
  static final long MAGIC_V2 = 0xD225DE2F4214151EL;

  private final String releases;
  private final boolean memoryScopes;
  private final int[] tags;

  Era(String releases, boolean memoryScopes, int... tags) {
    this.releases = releases;
    this.memoryScopes = memoryScopes;
    this.tags = tags;
  }

  /** The releases of Apache TVM that wrote this form. */
  public String releases() {
    return releases;
  }

  /** Whether a section with memory scopes is there. */
  public boolean hasMemoryScopes() {
    return memoryScopes;
  }

  long magic() {
    return memoryScopes ? MAGIC_V2 : MAGIC_V1;
  }

  /** The number on disk of a kind of constant. */
  int tag(ConstantKind kind) {
    return tags[kind.ordinal()];
  }

  /** The kind of constant with a number on disk. */
  Optional<ConstantKind> kind(int tag) {
    for (ConstantKind kind : ConstantKind.values()) {
      if (tags[kind.ordinal()] == tag) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
