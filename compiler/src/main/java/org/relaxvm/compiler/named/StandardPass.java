package org.relaxvm.compiler.named;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.pass.Pass;

/**
 * A pass of this compiler by name. Immutable.
 *
 * @param name such as {@code FuseOps}
 * @param options the names of its options, in order; those of Apache TVM's pass of the same name
 * @param isOriginal whether Apache TVM has a pass of the name
 * @param factory makes the pass
 */
record StandardPass(
    String name, List<String> options, boolean isOriginal, Function<PassOptions, Pass> factory) {
  /** All of them by name, in the order of the standard pipeline, those that it lacks last. */
  static Map<String, StandardPass> all() {
    return StandardPasses.all();
  }

  /** How the function that makes the pass is called. */
  String signature() {
    return "relax.transform." + name + "(" + String.join(", ", options) + ")";
  }

  /**
   * Makes the pass.
   *
   * @param args its options; those at the end may be left out if they have defaults
   * @throws CallException for options that the pass does not have or that are of another kind
   */
  Pass make(CallArgs args) {
    if (args.count() > options.size()) {
      throw new CallException(
          ErrorKind.TYPE,
          signature()
              + " takes at most "
              + options.size()
              + (options.size() == 1 ? " argument" : " arguments")
              + ", but got "
              + args.count());
    }
    return factory.apply(new PassOptions(args));
  }
}
