package org.relaxvm.compiler.named;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.FunctionMatch;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.pass.PassProvider;
import org.relaxvm.compiler.pass.PassProviders;
import org.relaxvm.vmcore.link.SimilarNames;

/**
 * Passes by name: those of this compiler, those of {@link PassProvider}s, and packed functions from
 * module to module, which other jars register with a {@link org.relaxvm.api.spi.FunctionProvider}
 * or in {@link Functions}.
 *
 * <pre>{@code
 * PassPipeline passes = PassRegistry.discover().pipeline("acme.transform.Rename,default");
 * Program program = Compiler.compile(module, CompileOptions.DEFAULT.withPipeline(_ -> passes));
 * }</pre>
 *
 * <p>Names in a list may also be those of pipelines: {@code default}, and its parts {@code
 * simplification}, {@code zero} and {@code lowering}. Passes of this compiler have the prefix
 * {@code relax.transform.} or none.
 *
 * <p>Immutable; thread-safe.
 */
public final class PassRegistry {
  private static final String ORIGINAL = "relax.transform.";
  private static final String TRANSFORM = ".transform.";

  private static final Map<String, Supplier<PassPipeline>> PIPELINES =
      Map.of(
          "default", StandardPipelines::standard,
          "simplification", StandardPipelines::simplification,
          "zero", StandardPipelines::zero,
          "lowering", StandardPipelines::lowering);

  private final BackendRegistry functions;
  private final Map<String, StandardPass> standard = StandardPass.all();
  private final Map<String, Pass> provided = new LinkedHashMap<>();
  private final List<String> problems;
  private final ModuleValues modules = new ModuleValues();

  private PassRegistry(BackendRegistry functions) {
    this.functions = functions;
    PassProviders found = PassProviders.discover();
    for (PassProvider provider : found.providers()) {
      provider.passes().forEach(placed -> provided.put(placed.pass().name(), placed.pass()));
    }
    problems = found.problems();
  }

  /** All passes that the class loader of this thread finds. */
  public static PassRegistry discover() {
    return of(BackendRegistry.discover());
  }

  /**
   * The passes of this compiler, of pass providers, and the functions of a registry.
   *
   * @param functions of which no device is opened; its functions are called as long as the passes
   *     are used
   */
  public static PassRegistry of(BackendRegistry functions) {
    return new PassRegistry(functions);
  }

  /**
   * What a list may name: passes of this compiler and of pass providers, pipelines, and functions
   * whose name has {@code .transform.} in it. Functions with other names can be passes, too.
   */
  public List<String> names() {
    return Stream.of(
            PIPELINES.keySet().stream().sorted(),
            standard.keySet().stream(),
            provided.keySet().stream(),
            functions.functionProviders().stream()
                .flatMap(provider -> provider.functionNames().stream())
                .filter(PassRegistry::isForeignPass)
                .sorted(),
            Functions.list().stream().filter(PassRegistry::isForeignPass))
        .flatMap(names -> names)
        .distinct()
        .toList();
  }

  private static boolean isForeignPass(String function) {
    return function.contains(TRANSFORM) && !function.startsWith(ORIGINAL);
  }

  /**
   * The pass of a name, with its default options.
   *
   * @throws CallException a {@code ValueError} if there is none, with the nearest names and all; a
   *     {@code TypeError} for a pass that needs options
   */
  public Pass require(String name) {
    return find(name).orElseThrow(() -> unknown(name));
  }

  private Optional<Pass> find(String name) {
    String bare = name.startsWith(ORIGINAL) ? name.substring(ORIGINAL.length()) : name;
    StandardPass own = standard.get(bare);
    if (own != null) {
      return Optional.of(make(own));
    }
    Pass given = provided.get(name);
    if (given != null) {
      return Optional.of(given);
    }
    return functions
        .findFunction(name)
        .map(FunctionMatch::function)
        .or(() -> Functions.find(name))
        .map(function -> pass(name, function));
  }

  private static Pass make(StandardPass pass) {
    try {
      return pass.make(CallArgs.of());
    } catch (RelaxException e) {
      e.addLocation(pass.signature());
      throw e;
    }
  }

  /**
   * A function from module to module as a pass. It is given the module as an object of the type
   * {@code ir.IRModule}; what it returns is checked.
   */
  public Pass pass(String name, PackedFunc function) {
    return new PackedPass(name, function, modules);
  }

  /**
   * The passes of a list, in order. A pass that comes again is named {@code FoldConstant#2}.
   *
   * @param list names with commas between them
   * @throws CallException as {@link #require}; a {@code ValueError} for an empty list
   */
  public PassPipeline pipeline(String list) {
    return pipeline(Arrays.stream(list.split(",", -1)).map(String::strip).toList());
  }

  /** As {@link #pipeline(String)}. */
  public PassPipeline pipeline(List<String> names) {
    List<Pass> passes = new ArrayList<>();
    for (String name : names) {
      Supplier<PassPipeline> known = PIPELINES.get(name);
      if (known == null) {
        passes.add(require(name));
      } else {
        passes.addAll(known.get().passes());
      }
    }
    return numbered(passes);
  }

  /** A pipeline of passes, of which those that come again get numbers. */
  static PassPipeline numbered(List<Pass> passes) {
    SequencedMap<String, Pass> unique = new LinkedHashMap<>();
    for (Pass pass : passes) {
      String name = pass.name();
      for (int i = 2; unique.containsKey(name); i++) {
        name = pass.name() + "#" + i;
      }
      unique.put(name, name.equals(pass.name()) ? pass : PassPipeline.again(pass, name));
    }
    return PassPipeline.of(List.copyOf(unique.values()));
  }

  private CallException unknown(String name) {
    List<String> all = names();
    List<String> near = SimilarNames.of(name, all);
    return new CallException(
        ErrorKind.VALUE,
        "there is no pass '"
            + name
            + "'"
            + (near.isEmpty() ? "" : "\n  similar: " + String.join(", ", near))
            + "\n  passes: "
            + String.join(", ", all)
            + problems.stream().map(problem -> "\n  problem: " + problem).collect(joining())
            + "\n  what to do: check the name, or put the jar that has the pass on the class path");
  }
}
