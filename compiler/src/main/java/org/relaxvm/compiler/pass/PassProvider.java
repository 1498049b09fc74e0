package org.relaxvm.compiler.pass;

import java.util.List;

/**
 * Passes of a third party, found by {@link java.util.ServiceLoader}: a jar on the class path or
 * module path with one of these takes part in each compilation.
 */
public interface PassProvider {
  /** The name of the provider, for messages. */
  String name();

  /** The passes and where they go. Called once for each pipeline. */
  List<Placement> passes();

  /**
   * Where a pass goes.
   *
   * @param pass the pass; its name is unique in the pipeline
   * @param anchor the name of a pass of the pipeline
   * @param isBefore whether it goes in front of that, else after it
   */
  record Placement(Pass pass, String anchor, boolean isBefore) {
    /** In front of a pass. */
    public static Placement before(String anchor, Pass pass) {
      return new Placement(pass, anchor, true);
    }

    /** After a pass. */
    public static Placement after(String anchor, Pass pass) {
      return new Placement(pass, anchor, false);
    }
  }
}
