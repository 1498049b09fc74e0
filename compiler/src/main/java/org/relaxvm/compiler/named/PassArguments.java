package org.relaxvm.compiler.named;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassPipeline;

/**
 * Passes among the arguments of calls: pass values, names, and functions from module to module.
 * Thread-safe.
 */
final class PassArguments {
  private static final String KEY = "transform.Pass";

  private final Supplier<PassRegistry> registry;

  PassArguments() {
    this.registry =
        new Supplier<>() {
          private @Nullable PassRegistry found;

          @Override
          public synchronized PassRegistry get() {
            PassRegistry known = found;
            if (known == null) {
              known = PassRegistry.discover();
              found = known;
            }
            return known;
          }
        };
  }

  /**
   * The pass of an argument.
   *
   * @throws CallException a {@code TypeError} for a value of another kind, a {@code ValueError} for
   *     a name that no pass has
   */
  Pass at(CallArgs args, int index) {
    return switch (args.at(index)) {
      case Pass pass -> pass;
      case String name -> named(name);
      case PackedFunc function -> registry.get().pass("function", function);
      case null, default -> throw args.mismatch(index, KEY);
    };
  }

  private Pass named(String list) {
    PassPipeline pipeline = registry.get().pipeline(list);
    return pipeline.passes().size() == 1
        ? pipeline.passes().getFirst()
        : new Sequence(list, pipeline);
  }

  /**
   * The passes of an array.
   *
   * @throws CallException as {@link #at}
   */
  PassPipeline pipelineAt(CallArgs args, int index) {
    List<?> given =
        switch (args.at(index)) {
          case Tuple tuple -> tuple.fields();
          case List<?> list -> list;
          case null, default -> throw args.mismatch(index, "ffi.Array");
        };
    List<Pass> passes = new ArrayList<>();
    for (Object element : given) {
      switch (element) {
        case Sequence sequence -> passes.addAll(sequence.pipeline().passes());
        case Pass pass -> passes.add(pass);
        case String name -> passes.addAll(registry.get().pipeline(name).passes());
        case PackedFunc function -> passes.add(registry.get().pass("function", function));
        case null, default ->
            throw new CallException(
                ErrorKind.TYPE,
                "element "
                    + passes.size()
                    + " of argument #"
                    + index
                    + " is no pass\n  expected: "
                    + KEY
                    + ", the name of a pass, or a function from module to module\n  got: "
                    + TypeKeys.of(element));
      }
    }
    return PassRegistry.numbered(passes);
  }
}
