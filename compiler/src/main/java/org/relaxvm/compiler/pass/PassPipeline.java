package org.relaxvm.compiler.pass;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.ir.IRModule;

/** A list of passes that run in order. Immutable. */
public final class PassPipeline {
  private final List<Pass> passes;

  private PassPipeline(List<Pass> passes) {
    this.passes = List.copyOf(passes);
  }

  /**
   * A pipeline.
   *
   * @throws InvalidProgramException when two passes have the same name; use {@link #again} for a
   *     second run
   */
  public static PassPipeline of(List<? extends Pass> passes) {
    Set<String> names = new HashSet<>();
    for (Pass pass : passes) {
      if (!names.add(pass.name())) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the pipeline has two passes of the name "
                + pass.name()
                + "; give one of them another name with PassPipeline.again");
      }
    }
    return new PassPipeline(List.copyOf(passes));
  }

  /** A pass under another name, for a second run. */
  public static Pass again(Pass pass, String name) {
    return new Pass() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public IRModule run(IRModule module, PassContext context) {
        return pass.run(module, context);
      }
    };
  }

  /** The passes, in order. */
  public List<Pass> passes() {
    return passes;
  }

  /** The names of the passes, in order. */
  public List<String> names() {
    return passes.stream().map(Pass::name).toList();
  }

  /** The same with a pass inserted before another. */
  public PassPipeline before(String anchor, Pass pass) {
    return inserted(indexOf(anchor), pass);
  }

  /** The same with a pass inserted after another. */
  public PassPipeline after(String anchor, Pass pass) {
    return inserted(indexOf(anchor) + 1, pass);
  }

  /** The same with one pass replaced. */
  public PassPipeline replacing(String name, Pass pass) {
    List<Pass> changed = new ArrayList<>(passes);
    changed.set(indexOf(name), pass);
    return of(changed);
  }

  /** The same without a pass. */
  public PassPipeline without(String name) {
    List<Pass> changed = new ArrayList<>(passes);
    changed.remove(indexOf(name));
    return new PassPipeline(changed);
  }

  /** The same followed by other passes. */
  public PassPipeline then(PassPipeline others) {
    List<Pass> all = new ArrayList<>(passes);
    all.addAll(others.passes);
    return of(all);
  }

  /**
   * The same with the passes of all {@link PassProviders} on the class path and module path.
   *
   * @throws InvalidProgramException as {@link #with}
   */
  public PassPipeline withProviders() {
    PassPipeline pipeline = this;
    for (PassProvider provider : PassProviders.discover().providers()) {
      pipeline = pipeline.with(provider);
    }
    return pipeline;
  }

  /**
   * The same with the passes of a provider.
   *
   * @throws InvalidProgramException when the anchor of a pass does not exist, or its name is
   *     already used
   */
  public PassPipeline with(PassProvider provider) {
    PassPipeline pipeline = this;
    try {
      for (PassProvider.Placement placement : provider.passes()) {
        pipeline =
            placement.isBefore()
                ? pipeline.before(placement.anchor(), placement.pass())
                : pipeline.after(placement.anchor(), placement.pass());
      }
    } catch (InvalidProgramException e) {
      e.addLocation("the pass provider " + provider.name());
      throw e;
    }
    return pipeline;
  }

  /**
   * Runs all passes.
   *
   * @throws RelaxException with the name of the pass, when a pass fails
   */
  public IRModule run(IRModule module, PassContext context, PassObserver observer) {
    IRModule current = module;
    for (Pass pass : passes) {
      IRModule before = current;
      long start = System.nanoTime();
      try {
        current = pass.run(before, context);
      } catch (RelaxException e) {
        e.addLocation("pass " + pass.name());
        throw e;
      }
      observer.ran(pass, before, current, System.nanoTime() - start);
    }
    return current;
  }

  private PassPipeline inserted(int index, Pass pass) {
    List<Pass> changed = new ArrayList<>(passes);
    changed.add(index, pass);
    return of(changed);
  }

  private int indexOf(String name) {
    int index = names().indexOf(name);
    if (index < 0) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the pipeline has no pass " + name + "; it has " + String.join(", ", names()));
    }
    return index;
  }
}
