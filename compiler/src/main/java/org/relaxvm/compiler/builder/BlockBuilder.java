package org.relaxvm.compiler.builder;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpContext;
import org.relaxvm.compiler.op.TypeInference;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.Fit;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.compiler.type.check.TypeMapping;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * Builds a module function by function and binding by binding. Emitted expressions are normalised:
 * operands that are not leaves are bound to new variables, and types are derived.
 *
 * <p>A function is built between {@link #beginFunction} and {@link #endFunction}; its bindings are
 * emitted into blocks. Passes use this class, as do programs with several functions or branches,
 * through {@link FunctionBuilder}. Models are shorter with {@code
 * org.relaxvm.compiler.dsl.ModuleBuilder}.
 *
 * <p>Errors name the function and the binding. Not thread-safe. Source: docs/spec/relax-ir.md,
 * section 7.
 */
public final class BlockBuilder implements OpContext {
  private final ModuleFunctions functions;
  private final Normalizer normalizer = new Normalizer(this);
  private final Map<RelaxVar, Expr> bindings = new IdentityHashMap<>();
  private final Deque<FunctionFrame> open = new ArrayDeque<>();
  private final Analyzer analyzer = new Analyzer();
  private List<String> sourceNodes = List.of();

  /** A builder of a new module. */
  public BlockBuilder() {
    this(IRModule.EMPTY);
  }

  /** A builder that extends a module. */
  public BlockBuilder(IRModule module) {
    this.functions = new ModuleFunctions(module);
  }

  // ---------------------------------------------------------------- module

  /** The module as it is now. */
  public IRModule module() {
    return functions.module();
  }

  @Override
  public Optional<ModuleFunction> find(GlobalVar name) {
    return functions.find(name);
  }

  /**
   * Adds a function unless the module has a structurally equal one.
   *
   * @param hint its name, made unique
   * @return the name of the new or existing function
   */
  public GlobalVar addFunction(ModuleFunction function, String hint) {
    return functions.add(function, hint);
  }

  /** Reserves a name for a function that is added later. */
  public GlobalVar reserve(String hint) {
    return functions.reserve(hint);
  }

  /** Declares the type of a function that is added later, so that calls of it can be built. */
  public void declare(GlobalVar name, FuncType type) {
    functions.put(name, new ExternFunc(name.name(), type));
  }

  /**
   * Adds a public function that an action builds. If the action fails, the builder is unchanged.
   *
   * @param body emits the bindings and returns the result
   * @return its name, made unique
   */
  public GlobalVar function(String name, Function<FunctionBuilder, Expr> body) {
    GlobalVar global = reserve(name);
    Deque<FunctionFrame> before = new ArrayDeque<>(open);
    boolean isBuilt = false;
    try {
      put(global, FunctionBuilder.build(this, global, body));
      isBuilt = true;
    } finally {
      if (!isBuilt) {
        open.clear();
        open.addAll(before);
        functions.remove(global);
        functions.release(global);
      }
    }
    return global;
  }

  /** Adds a function under exactly this name, or replaces the existing one. */
  public void put(GlobalVar name, ModuleFunction function) {
    functions.put(name, function);
  }

  /** Removes a function. */
  public void remove(GlobalVar name) {
    functions.remove(name);
  }

  /**
   * Declares a virtual device of the module, unless it is declared. Devices are numbered in the
   * order of declaration; the first one with global memory is the default for tensors.
   *
   * @return the virtual device, for types and for {@code to_vdevice}
   */
  public VDevice vdevice(VDevice device) {
    functions.vdevice(device);
    return device;
  }

  // ---------------------------------------------------------------- functions

  /**
   * Begins a function, which may be nested in another one. It defines the symbolic variables in the
   * types of its parameters; a local function also sees those of the enclosing function.
   */
  public void beginFunction(String name, List<RelaxVar> params) {
    open.push(new FunctionFrame(name, open.peek()));
    params.forEach(this::addParam);
  }

  /** Adds a parameter to the current function. */
  public void addParam(RelaxVar param) {
    frame().names.take(param.name());
    sequence().vars.add(param);
    defineSymbols(param.type());
  }

  /**
   * Ends a function.
   *
   * @param body its result: an expression whose type is known or can be derived
   * @param declared the declared type of the result; empty to derive it
   */
  public RelaxFunction endFunction(
      List<RelaxVar> params, Expr body, Optional<Type> declared, boolean isPure, Attrs attrs) {
    String name = frame().name;
    SeqExpr seq = finished(body);
    Type inside = TypeInference.of(seq.body(), this);
    open.pop();
    FunctionFrame outer = open.peek();
    Set<Var> known = outer == null ? new HashSet<>() : new HashSet<>(outer.sequence().symbols);
    known.addAll(Symbols.definedBy(params.stream().map(RelaxVar::type).toList()));
    Type derived = TypeMapping.knowing(known, Set.copyOf(params)).apply(inside);
    Type result = declared.orElse(derived);
    if (declared.isPresent()) {
      Fit fit = new BaseCheck(analyzer).check(declared.get(), inside);
      if (fit == Fit.IMPOSSIBLE) {
        InvalidProgramException wrong =
            new InvalidProgramException(
                ErrorKind.TYPE,
                "the result must be " + declared.get() + ", but " + seq.body() + " is " + inside);
        wrong.addLocation("function " + name);
        throw wrong;
      }
      if (fit == Fit.PASS && BaseCheck.isBaseOf(declared.get(), derived, analyzer)) {
        result = derived;
      }
    }
    SeqExpr typed = new SeqExpr(seq.blocks(), seq.body(), Optional.of(derived));
    return new RelaxFunction(params, typed, result, isPure, attrs);
  }

  // ---------------------------------------------------------------- sequences and blocks

  /** Begins a nested sequence, such as a branch. Its definitions are not visible after it. */
  public void beginSequence() {
    frame().beginSequence();
  }

  /** Ends a nested sequence. */
  public SeqExpr endSequence(Expr body) {
    SeqExpr seq = finished(body);
    TypeMapping outside = TypeMapping.knowing(sequence().symbols, sequence().vars);
    return new SeqExpr(
        seq.blocks(), seq.body(), Optional.of(outside.apply(TypeInference.of(seq.body(), this))));
  }

  private SeqExpr finished(Expr body) {
    beginBlock(false);
    Expr leaf = argument(body);
    endBlock();
    return SeqExpr.of(frame().endSequence(), leaf);
  }

  /**
   * Opens a binding block. If one is open, it is split around the new block. A dataflow block
   * contains only dataflow blocks.
   */
  public void beginBlock(boolean isDataflow) {
    sequence().beginBlock(isDataflow);
  }

  /**
   * Ends a block. An empty block is removed; a block of the same kind as the previous one is merged
   * with it.
   */
  public void endBlock() {
    sequence().endBlock();
  }

  /** Whether the current block is a dataflow block. */
  public boolean isDataflow() {
    return block().isDataflow;
  }

  // ---------------------------------------------------------------- bindings

  /** Binds an expression to a new variable. */
  public RelaxVar emit(Expr value) {
    return emit(value, isDataflow() ? "lv" : "gv");
  }

  /** Binds an expression to a new variable whose name is derived from a hint. */
  public RelaxVar emit(Expr value, String hint) {
    Expr normal = located(value, () -> normalizer.normalize(value));
    return bind(normal, hint, isDataflow());
  }

  /** Binds an expression to a new variable that is visible after the dataflow block. */
  public RelaxVar emitOutput(Expr value) {
    return emitOutput(value, "gv");
  }

  /** The same with a name derived from a hint. */
  public RelaxVar emitOutput(Expr value, String hint) {
    Expr normal = located(value, () -> output(value));
    return bind(normal, hint, false);
  }

  private Expr output(Expr value) {
    requireDataflow();
    return normalizer.normalize(value);
  }

  private void requireDataflow() {
    if (!isDataflow()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "only a dataflow block has outputs; this block is none");
    }
  }

  private RelaxVar bind(Expr normal, String hint, boolean dataflowVar) {
    String name = frame().names.unique(hint);
    Type type = TypeInference.of(normal, this);
    RelaxVar var =
        dataflowVar
            ? new DataflowVar(name, type, sourceNodes)
            : new RelaxVar(name, isDataflow() ? seenOutside(type) : type, sourceNodes);
    emitNormalized(new VarBinding(var, normal));
    return var;
  }

  /** A type without shapes that are dataflow variables. */
  private static Type seenOutside(Type type) {
    return new TypeMapping(
            Optional::of,
            var ->
                var instanceof DataflowVar
                    ? Optional.empty()
                    : Optional.of(new TensorShape.OfVar(var)),
            Optional.empty())
        .apply(type);
  }

  /**
   * Binds a value to a new variable of a given type, which is checked at run time.
   *
   * @throws InvalidProgramException when the value cannot have the type
   */
  public RelaxVar emitMatchCast(Expr value, Type type) {
    return emitMatchCast(value, type, isDataflow() ? "lv" : "gv");
  }

  /** The same with a name derived from a hint. */
  public RelaxVar emitMatchCast(Expr value, Type type, String hint) {
    Expr normal = castable(value, type);
    String name = frame().names.unique(hint);
    RelaxVar var =
        isDataflow()
            ? new DataflowVar(name, type, sourceNodes)
            : new RelaxVar(name, type, sourceNodes);
    emitNormalized(new MatchCast(var, normal, type));
    return var;
  }

  /** The same with a variable that is visible after the dataflow block. */
  public RelaxVar emitMatchCastOutput(Expr value, Type type, String hint) {
    requireDataflow();
    Expr normal = castable(value, type);
    RelaxVar var = new RelaxVar(frame().names.unique(hint), type, sourceNodes);
    emitNormalized(new MatchCast(var, normal, type));
    return var;
  }

  /** A leaf of the same value, unless that can never be of a type. */
  Expr castable(Expr value, Type type) {
    return located(
        value,
        () -> {
          Expr leaf = normalizer.argument(value);
          TypeInference.requireCast(leaf, type, analyzer);
          return leaf;
        });
  }

  /** Appends a normalised binding of a variable that is not bound elsewhere. */
  public void emitNormalized(Binding binding) {
    block().bindings.add(binding);
    frame().names.take(binding.var().name());
    switch (binding) {
      case VarBinding(RelaxVar var, Expr value) -> bindings.put(var, value);
      case MatchCast cast -> defineSymbols(cast.target());
    }
    sequence().vars.add(binding.var());
  }

  /** The variable to which a part is bound in this block, which is bound once. */
  RelaxVar emitPart(Expr original, Expr normal) {
    RelaxVar known = block().emitted.get(original);
    if (known != null) {
      return known;
    }
    RelaxVar var = bind(normal, isDataflow() ? "lv" : "gv", isDataflow());
    block().emitted.put(original, var);
    return var;
  }

  /** The variable to which a part was bound in this block before. */
  @Nullable RelaxVar emittedPart(Expr original) {
    return block().emitted.get(original);
  }

  /** The normal form of an expression; its operands may be bound in the current block. */
  public Expr normalize(Expr expr) {
    return located(expr, () -> normalizer.normalize(expr));
  }

  /** A leaf with the same value; an expression that is not a leaf is bound in the current block. */
  public Expr argument(Expr expr) {
    return located(expr, () -> normalizer.argument(expr));
  }

  // ---------------------------------------------------------------- knowledge

  @Override
  public Analyzer analyzer() {
    return analyzer;
  }

  @Override
  public Optional<Expr> lookup(RelaxVar var) {
    return Optional.ofNullable(bindings.get(var));
  }

  /** Reserves the name of a variable that is bound later in the current function. */
  public void reserveName(RelaxVar var) {
    frame().names.take(var.name());
  }

  /** A name that is unique in the current function. */
  public String uniqueName(String hint) {
    return frame().names.unique(hint);
  }

  /** The symbolic variables that are defined at this point. */
  public Set<Var> symbols() {
    return Collections.unmodifiableSet(sequence().symbols);
  }

  /** Defines the symbolic variables in a type. */
  public void defineSymbols(Type type) {
    for (Var symbol : Symbols.definedBy(type)) {
      if (sequence().symbols.add(symbol)) {
        analyzer.markNonNegative(symbol);
      }
    }
  }

  /**
   * Runs a step that rewrites a binding: new bindings get its source nodes, and an error without a
   * location gets the current function and the binding.
   */
  public void at(Binding binding, Runnable step) {
    List<String> outer = sourceNodes;
    sourceNodes = binding.var().sourceNodes();
    try {
      located(
          binding,
          () -> {
            step.run();
            return binding;
          });
    } finally {
      sourceNodes = outer;
    }
  }

  /** The source nodes of new bindings: the names of the nodes of an imported model. */
  public List<String> sourceNodes() {
    return sourceNodes;
  }

  /** Sets the source nodes of the bindings that are emitted from now on. */
  public void setSourceNodes(List<String> nodes) {
    sourceNodes = List.copyOf(nodes);
  }

  /** Says where an error arose, once. */
  private <T> T located(Object what, Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidProgramException e) {
      if (e.locations().isEmpty()) {
        String from = sourceNodes.isEmpty() ? "" : "node " + SourceNodes.text(sourceNodes) + ", ";
        e.addLocation("function " + frame().name + ", " + from + what);
      }
      throw e;
    }
  }

  private FunctionFrame frame() {
    return FunctionFrame.required(open.peek());
  }

  private FunctionFrame.Sequence sequence() {
    return frame().sequence();
  }

  private FunctionFrame.Block block() {
    return frame().block();
  }
}
