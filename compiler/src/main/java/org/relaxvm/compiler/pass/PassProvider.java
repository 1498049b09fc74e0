package org.relaxvm.compiler.pass;

import java.util.List;

/**
 * Passes of a third party, found by {@link java.util.ServiceLoader}: a jar with a provider on the
 * class path or module path adds its passes to every compilation. One that fails is left out, see
 * {@link PassProviders}.
 */
public interface PassProvider {
  /** The name of the provider, for messages. */
  String name();

  /** The passes with their positions. Called once for each pipeline. */
  List<Placement> passes();

  /**
   * The position of a pass.
   *
   * @param pass the pass; its name is unique in the pipeline
   * @param anchor the name of a pass of the pipeline
   * @param isBefore whether it is inserted before the anchor, else after it
   */
  record Placement(Pass pass, String anchor, boolean isBefore) {
    /** Before a pass. */
    public static Placement before(String anchor, Pass pass) {
      return new Placement(pass, anchor, true);
    }

    /** After a pass. */
    public static Placement after(String anchor, Pass pass) {
      return new Placement(pass, anchor, false);
    }
  }
}
